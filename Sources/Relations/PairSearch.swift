import ModelIR
import ValueSums

/// Whether one tensor is another, rearranged, and how.
struct PairSearch {
  private let a: RelatedTensor
  private let b: RelatedTensor
  private let likeness: Likeness
  private let valuesOfA: ValueBits
  /// Some places of `b`, and the bits there.
  private let samples: [(place: Int, bits: UInt32)]

  private static let sampleCount = 48
  /// More than this fit only where nearly all values are the same.
  static let mostArrangements = 12

  /// Compares the values of `b` with what `likeness` makes of those of `a`.
  ///
  /// - Precondition: both have as many values.
  init(_ a: RelatedTensor, _ b: RelatedTensor, _ likeness: Likeness) throws(NetconvError) {
    self.a = a
    self.b = b
    self.likeness = likeness
    valuesOfA = ValueBits(a.source)
    let values = ValueBits(b.source)
    var random = RandomPlaces(in: b.count)
    var places: Set<Int> = [0, max(0, b.count - 1)]
    for _ in 0..<Self.sampleCount { places.insert(random.next()) }
    samples = try places.sorted().map { place throws(NetconvError) in
      (place, try values.bits(at: place))
    }
  }

  /// The ways to move, merge and reverse whole axes that make `b` of `a`: the simplest first, no two of the same effect,
  /// at most ``mostArrangements``.
  ///
  /// - Throws: what reading the values throws.
  func arrangements() throws(NetconvError) -> [Rearrangement] {
    var found: [Rearrangement] = []
    var tried: [StridedCopy] = []
    let isFinerThanShape = b.layout != nil || a.shape.count { $0 > 1 } < b.shape.count { $0 > 1 }
    var candidates = Arrangements(a.axes, b.shape, known: .source)
    var others = Arrangements(b.axes, isFinerThanShape ? a.shape : [0], known: .target)
    while found.count < Self.mostArrangements,
      let candidate = candidates.next() ?? others.next()
    {
      guard try fitsSamples(candidate.copy), !tried.contains(candidate.copy) else { continue }
      tried.append(candidate.copy)
      if try fits(candidate) { found.append(candidate) }
    }
    return found
  }

  private func fitsSamples(_ copy: StridedCopy) throws(NetconvError) -> Bool {
    for sample in samples {
      let bits = try valuesOfA.bits(at: copy.sourceIndex(of: sample.place))
      guard likeness.apply(to: bits) == sample.bits else { return false }
    }
    return true
  }

  /// Whether values that float32 cannot hold are the same in float64.
  func fitsWide(_ rearrangement: Rearrangement) throws(NetconvError) -> Bool {
    try fits(rearrangement) { (made: UnsafeBufferPointer<Double>, wanted) in
      haveSameBits(made, wanted)
    }
  }

  /// Compares all values.
  func fits(_ rearrangement: Rearrangement) throws(NetconvError) -> Bool {
    guard likeness != .exact else {
      return try fits(rearrangement) { (made: UnsafeBufferPointer<Float>, wanted) in
        haveSameBits(made, wanted)
      }
    }
    return try fits(rearrangement) { (made: UnsafeBufferPointer<Float>, wanted) in
      made.indices.allSatisfy {
        likeness.apply(to: made[$0].bitPattern) == wanted[$0].bitPattern
      }
    }
  }

  private func fits<Value: StreamedValue>(
    _ rearrangement: Rearrangement,
    _ areSame: (_ made: UnsafeBufferPointer<Value>, _ wanted: [Value]) -> Bool
  ) throws(NetconvError) -> Bool {
    let stream = ValueStream<Value>(try a.rearranged(rearrangement))
    var position = 0
    while let made = try stream.next() {
      let wanted: [Value] = try b.source.values(position..<position + made.count)
      guard areSame(made, wanted) else { return false }
      position += made.count
    }
    return true
  }
}

extension RelatedTensor {
  /// The tensor as a rearrangement of its shape makes it.
  func rearranged(_ rearrangement: Rearrangement) throws(NetconvError) -> Tensor {
    let spec = ParameterSpec(.kernel, .unknown, rearrangement.source, rearrangement.sizes)
    let stored = StoredTensor(
      source: source, layout: rearrangement.source,
      shape: try rearrangement.source.shape(rearrangement.sizes), path: name)
    return try Tensor(layer: name, spec: spec, stored: stored)
      .rearranged(to: rearrangement.target, reversed: rearrangement.reversed)
  }
}
