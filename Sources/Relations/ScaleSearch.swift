import ModelIR

/// The search for a factor, or one per index of an axis, that turns one tensor into another.
struct ScaleSearch {
  /// The result of the search.
  struct Found {
    let rearrangement: Rearrangement
    /// The axis in the shape of `b` with a factor per index; `nil` for a single factor.
    let axis: Int?
    /// The factors; NaN where values are too small to determine one.
    let factors: [Double]
    /// True if all values are negated, with otherwise equal bits.
    let isNegated: Bool
  }

  private let a: RelatedTensor
  private let b: RelatedTensor
  private let valuesOfA: ValueBits
  private let valuesOfB: ValueBits
  private let tolerance: Double

  /// The number of values that makes a common factor meaningful.
  private static let fewest = 4
  private static let samplesOfPlace = 6
  private static let samplePlaces = 5
  /// Products of smaller numbers lose precision.
  private static let least = 0x1p-120

  /// - Precondition: Both have the same count.
  init(_ a: RelatedTensor, _ b: RelatedTensor) {
    self.a = a
    self.b = b
    valuesOfA = ValueBits(a.source)
    valuesOfB = ValueBits(b.source)
    tolerance = Self.tolerance(of: b.valueType)
  }

  /// The relative tolerance of a product: a few rounding errors of the stored dtype.
  static func tolerance(of type: ElementType) -> Double {
    switch type {
    case .float16: 0x1p-9
    case .bfloat16: 0x1p-6
    case .float32, .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      0x1p-21
    }
  }

  /// The first rearrangement after which there is a factor, or one per index of an axis.
  func find() throws(NetconvError) -> Found? {
    var candidates = Arrangements(a.axes, b.shape, known: .source)
    while let candidate = candidates.next(), candidate.reversed.isEmpty {
      let axes: [Int?] = [nil] + b.shape.indices.filter { b.shape[$0] > 1 }
      for axis in axes where b.count / (axis.map { b.shape[$0] } ?? 1) >= Self.fewest {
        guard try fitsSamples(candidate.copy, axis),
          let factors = try factors(of: candidate, axis)
        else { continue }
        var isNegated = false
        if factors == [-1] { isNegated = try PairSearch(a, b, .negated).fits(candidate) }
        return Found(
          rearrangement: candidate, axis: axis, factors: factors, isNegated: isNegated)
      }
    }
    return nil
  }

  private func fitsSamples(_ copy: StridedCopy, _ axis: Int?) throws(NetconvError) -> Bool {
    var random = RandomPlaces(in: b.count)
    let stride = axis.map { rowMajorStrides(of: b.shape)[$0] } ?? 1
    let size = axis.map { b.shape[$0] } ?? 1
    var told = false
    for place in 0..<(axis == nil ? 1 : min(size, Self.samplePlaces)) {
      var pairs: [(a: Double, b: Double)] = []
      for _ in 0..<Self.samplesOfPlace * 2 {
        var index = random.next()
        if axis != nil { index += (place - index / stride % size) * stride }
        let value = Float(bitPattern: try valuesOfB.bits(at: index))
        let original = Float(bitPattern: try valuesOfA.bits(at: copy.sourceIndex(of: index)))
        pairs.append((Double(original), Double(value)))
      }
      guard let largest = pairs.max(by: { abs($0.a) < abs($1.a) }), abs(largest.a) > Self.least
      else { continue }
      let factor = largest.b / largest.a
      guard factor.isFinite, pairs.allSatisfy({ isNear($0.b, factor * $0.a) }) else { return false }
      told = told || factor != 0
    }
    return told
  }

  private func isNear(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) <= tolerance * abs(expected) + Self.least
  }

  /// The factors, if every value is its factor times the original.
  private func factors(
    of rearrangement: Rearrangement, _ axis: Int?
  ) throws(NetconvError) -> [Double]? {
    let size = axis.map { b.shape[$0] } ?? 1
    let stride = axis.map { rowMajorStrides(of: b.shape)[$0] } ?? b.count
    var largest = [Double](repeating: 0, count: size)
    var factors = [Double](repeating: 0, count: size)
    try forEachPair(of: rearrangement) { index, original, value in
      let place = index / stride % size
      if abs(original) > largest[place] {
        largest[place] = abs(original)
        factors[place] = value / original
      }
    }
    for place in factors.indices where largest[place] <= Self.least { factors[place] = .nan }
    guard factors.contains(where: { $0 != 0 && !$0.isNaN }), !factors.contains(where: \.isInfinite)
    else { return nil }
    var isSame = true
    try forEachPair(of: rearrangement) { index, original, value in
      let factor = factors[index / stride % size]
      isSame =
        isSame
        && (factor.isNaN ? abs(value) <= Self.least.squareRoot() : isNear(value, factor * original))
    }
    return isSame ? factors : nil
  }

  private func forEachPair(
    of rearrangement: Rearrangement, _ body: (Int, Double, Double) -> Void
  ) throws(NetconvError) {
    let stream = ValueStream<Float>(try a.rearranged(rearrangement))
    var position = 0
    while let originals = try stream.next() {
      let values: [Float] = try b.source.values(position..<position + originals.count)
      for (offset, (original, value)) in zip(originals, values).enumerated() {
        body(position + offset, Double(original), Double(value))
      }
      position += originals.count
    }
  }
}
