import ModelIR
import ValueSums

/// The search for a rearrangement that turns one tensor into another.
struct PairSearch {
  private let a: RelatedTensor
  private let b: RelatedTensor
  private let likeness: Likeness
  private let valuesOfA: ValueBits
  /// The bit patterns of `b` at some positions.
  private let samples: [(place: Int, bits: UInt32)]

  private static let sampleCount = 48
  /// The number of distinct values that makes a near match meaningful.
  private static let fewestUnlike = 4
  /// One differing value is allowed per this many nonzero values.
  private static let leastShare = 16
  /// The limit on the rearrangements; more fit only if nearly all values are equal.
  static let mostArrangements = 12

  /// Compares the values of `b` with those of `a` after the change `likeness`.
  ///
  /// - Precondition: Both have the same count.
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

  /// The rearrangements of whole axes that turn `a` into `b`: simplest first, without duplicate
  /// effects, at most ``mostArrangements``.
  ///
  /// - Throws: An error if the values cannot be read.
  func arrangements() throws(NetconvError) -> [Rearrangement] {
    var found: [Rearrangement] = []
    var tried: [StridedCopy] = []
    for candidate in candidates {
      guard found.count < Self.mostArrangements else { break }
      guard try fitsSamples(candidate.copy), !tried.contains(candidate.copy) else { continue }
      tried.append(candidate.copy)
      if try fits(candidate) { found.append(candidate) }
    }
    return found
  }

  /// The rearrangements of whole axes that the shapes permit.
  private var candidates: some Sequence<Rearrangement> {
    let isFinerThanShape = b.layout != nil || a.shape.count { $0 > 1 } < b.shape.count { $0 > 1 }
    var candidates = Arrangements(a.axes, b.shape, known: .source)
    var others = Arrangements(b.axes, isFinerThanShape ? a.shape : [0], known: .target)
    return AnyIterator { candidates.next() ?? others.next() }
  }

  /// The rearrangement after which nearly all values are equal; `nil` unless it is unique.
  func nearest() throws(NetconvError) -> (rearrangement: Rearrangement, discrepancy: Discrepancy)? {
    // Too few distinct values are not conclusive.
    guard Set(samples.map(\.bits)).count >= Self.fewestUnlike else { return nil }
    var found: [(rearrangement: Rearrangement, discrepancy: Discrepancy)] = []
    var tried: [StridedCopy] = []
    for candidate in candidates {
      let same = try samples.count { sample throws(NetconvError) in
        let bits = try valuesOfA.bits(at: candidate.copy.sourceIndex(of: sample.place))
        return likeness.apply(to: bits) == sample.bits
      }
      guard 4 * same >= 3 * samples.count, !tried.contains(candidate.copy) else { continue }
      tried.append(candidate.copy)
      if let discrepancy = try discrepancy(candidate) { found.append((candidate, discrepancy)) }
      guard found.count < 2 else { return nil }
    }
    return found.first
  }

  /// The values that differ after a rearrangement; `nil` if there are many.
  private func discrepancy(_ rearrangement: Rearrangement) throws(NetconvError) -> Discrepancy? {
    let stream = ValueStream<Float>(try a.rearranged(rearrangement))
    var discrepancy: Discrepancy?
    var (position, zeros) = (0, 0)
    while let made = try stream.next() {
      let wanted: [Float] = try b.source.values(position..<position + made.count)
      for (index, value) in wanted.enumerated() {
        if value == 0 { zeros += 1 }
        let expected = likeness.apply(to: made[index].bitPattern)
        guard expected != value.bitPattern else { continue }
        let other = Discrepancy(
          count: 1, index: position + index, value: value,
          expected: Float(bitPattern: expected))
        discrepancy = discrepancy?.adding(other) ?? other
      }
      position += made.count
    }
    guard let discrepancy, discrepancy.count * Self.leastShare <= position - zeros else {
      return nil
    }
    return discrepancy
  }

  private func fitsSamples(_ copy: StridedCopy) throws(NetconvError) -> Bool {
    for sample in samples {
      let bits = try valuesOfA.bits(at: copy.sourceIndex(of: sample.place))
      guard likeness.apply(to: bits) == sample.bits else { return false }
    }
    return true
  }

  /// True if values that float32 cannot represent are equal in float64.
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
  /// The tensor after a rearrangement of its shape.
  func rearranged(_ rearrangement: Rearrangement) throws(NetconvError) -> Tensor {
    let spec = ParameterSpec(.kernel, .unknown, rearrangement.source, rearrangement.sizes)
    let stored = StoredTensor(
      source: source, layout: rearrangement.source,
      shape: try rearrangement.source.shape(rearrangement.sizes), path: name)
    return try Tensor(layer: name, spec: spec, stored: stored)
      .rearranged(to: rearrangement.target, reversed: rearrangement.reversed)
  }
}
