import ModelIR

extension ElementType {
  /// The value of this floating-point type that is nearest to `value`, ties to even.
  ///
  /// Narrower types are rounded from float32, in which netconv computes.
  ///
  /// - Precondition: The type is an ``exactType``.
  func nearest(to value: Double) -> Double {
    switch self {
    case .float64: value
    case .float32: Double(Float(value))
    case .float16: Double(Half.float(from: Half.bits(from: Float(value))))
    case .bfloat16: Double(BFloat16.float(from: BFloat16.bits(from: Float(value))))
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      preconditionFailure("\(self) is not an exact type")
    }
  }

  /// The distance in ULPs of this type between the values nearest to `a` and `b`, which are finite.
  package func steps(from a: Double, to b: Double) -> UInt64 {
    func place(_ value: Double) -> Int64 {
      let value = nearest(to: value)
      let magnitude: Int64 =
        switch self {
        case .float64: Int64(value.magnitude.bitPattern)
        case .float16: Int64(Half.bits(from: Float(value.magnitude)))
        case .bfloat16: Int64(BFloat16.bits(from: Float(value.magnitude)))
        case .float32: Int64(Float(value.magnitude).bitPattern)
        case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
          preconditionFailure("\(self) is not an exact type")
        }
      return value.sign == .minus ? -magnitude : magnitude
    }
    let (distance, overflow) = place(a).subtractingReportingOverflow(place(b))
    return overflow ? .max : distance.magnitude
  }

  /// The type with the lower precision of two.
  package static func coarser(_ a: ElementType, _ b: ElementType) -> ElementType {
    let order: [ElementType] = [.bfloat16, .float16, .float32, .float64]
    return order.first { $0 == a || $0 == b } ?? .float32
  }
}
