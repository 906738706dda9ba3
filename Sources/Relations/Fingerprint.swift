import ModelIR
import Processor

/// A hash of a tensor's values that does not depend on their order.
///
/// Equal fingerprints make a candidate. Only a comparison of all values makes a relation.
struct Fingerprint: Sendable, Equatable {
  /// The sum of a hash of each value's bits.
  var sum: UInt64 = 0
  /// The same sum for values rounded to float16, and to bfloat16.
  var halves: UInt64 = 0
  var brains: UInt64 = 0
  /// The same sums for values truncated to these types.
  var truncatedHalves: UInt64 = 0
  var truncatedBrains: UInt64 = 0
  /// The number of zeros.
  var zeroCount = 0
  /// The smallest and the largest bit pattern; they are equal if all values are the same.
  var lowest = UInt32.max
  var highest = UInt32.min

  /// The bitwise OR of all values.
  var used: UInt32 = 0

  /// True if all values are the same.
  var isConstant: Bool { lowest >= highest }

  /// True if a value is not representable in float32, so that it was rounded for the comparison.
  var isWide = false

  /// The narrower type that represents all values, whatever their stored dtype; `nil` if there is
  /// none, or if the values do not show it.
  var narrowType: ElementType? {
    guard !isConstant, !isWide else { return nil }
    if used & 0xffff == 0 { return .bfloat16 }
    return used & 0x1fff == 0 ? .float16 : nil
  }

  /// Adds values.
  ///
  /// - Parameter types: float16 or bfloat16, for which the sums of narrowed values are needed.
  mutating func add(_ values: UnsafeBufferPointer<Float>, narrowedTo types: Set<ElementType>) {
    for value in values {
      let bits = value.bitPattern
      sum &+= Self.hash(bits)
      zeroCount += bits & 0x7fff_ffff == 0 ? 1 : 0
      lowest = min(lowest, bits)
      highest = max(highest, bits)
      used |= bits
    }
    guard !types.isEmpty else { return }
    let rounded = UnsafeMutableBufferPointer<Float>.allocate(capacity: values.count)
    defer { rounded.deallocate() }
    _ = rounded.initialize(from: values)
    if types.contains(.float16) {
      Half.round(rounded)
      for value in rounded { halves &+= Self.hash(value.bitPattern) }
      for value in values { truncatedHalves &+= Self.hash(Half.truncated(value).bitPattern) }
      _ = rounded.update(from: values)
    }
    guard types.contains(.bfloat16) else { return }
    for value in values { truncatedBrains &+= Self.hash(value.bitPattern & 0xffff_0000) }
    BFloat16.round(rounded)
    for value in rounded { brains &+= Self.hash(value.bitPattern) }
  }

  static func + (a: Fingerprint, b: Fingerprint) -> Fingerprint {
    Fingerprint(
      sum: a.sum &+ b.sum, halves: a.halves &+ b.halves,
      brains: a.brains &+ b.brains, truncatedHalves: a.truncatedHalves &+ b.truncatedHalves,
      truncatedBrains: a.truncatedBrains &+ b.truncatedBrains, zeroCount: a.zeroCount + b.zeroCount,
      lowest: min(a.lowest, b.lowest), highest: max(a.highest, b.highest),
      used: a.used | b.used, isWide: a.isWide || b.isWide)
  }

  /// The 64-bit finalizer of Steele, Lea and Flood, reduced to two steps.
  static func hash(_ bits: UInt32) -> UInt64 {
    var hash = UInt64(bits) &* 0x9e37_79b9_7f4a_7c15
    hash ^= hash >> 32
    hash &*= 0xd6e8_feb8_6659_fd93
    return hash ^ hash >> 32
  }
}

extension Fingerprint {
  /// Computes the fingerprints of tensors in several threads.
  ///
  /// - Parameter types: The narrower types to which values may have been converted.
  /// - Throws: An error if a tensor cannot be read, with its name.
  static func all(
    of tensors: [RelatedTensor], narrowedTo types: Set<ElementType> = [], _ team: ThreadTeam,
    checkpoint: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> [Fingerprint] {
    try tensors.sharedPieces(team) { index, piece throws(NetconvError) in
      try checkpoint()
      var fingerprint = Fingerprint()
      try tensors[index].source.forEachPiece(in: piece) { _, values in
        fingerprint.add(values, narrowedTo: types)
      }
      fingerprint.isWide = try tensors[index].source.holdsWideValues(in: piece)
      return fingerprint
    }.map { $0.reduce(Fingerprint(), +) }
  }
}
