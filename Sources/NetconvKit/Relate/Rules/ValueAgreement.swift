import ModelIR

/// The agreement of values that rules make with those of a tensor, rounded to its type.
enum ValueAgreement {
  /// All bits are equal; a NaN equals any other.
  case exact
  /// All values are equal up to the rounding of a product or sum.
  case rounded
  /// At least one value is another.
  case other

  private static let windowCount = 1 << 16

  /// Compares all values.
  ///
  /// - Throws: errors of the reads.
  init(_ made: any TensorSource, _ expected: any TensorSource) throws(NetconvError) {
    guard made.count == expected.count else {
      self = .other
      return
    }
    let type = expected.elementType
    let rounded = RoundedValues(made, to: type)
    self = .exact
    var start = 0
    while start < made.count {
      let range = start..<min(start + Self.windowCount, made.count)
      let own: [Float] = try rounded.values(range)
      let others: [Float] = try expected.values(range)
      for (value, other) in zip(own, others)
      where value.bitPattern != other.bitPattern && !(value.isNaN && other.isNaN) {
        guard abs(value - other) <= abs(other) * type.roundingBound else {
          self = .other
          return
        }
        self = .rounded
      }
      start = range.upperBound
    }
  }
}

extension ElementType {
  /// The relative error of a product or sum that was rounded a few times, as in ``WeightRelations``.
  fileprivate var roundingBound: Float {
    switch self {
    case .float16: 0x1p-9
    case .bfloat16: 0x1p-6
    default: 0x1p-21
    }
  }
}
