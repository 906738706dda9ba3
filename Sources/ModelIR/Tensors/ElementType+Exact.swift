extension ElementType {
  /// The floating-point type in which values of this type are hashed and compared: one that holds all of them.
  ///
  /// Small integers are float32, as weights are; of 64-bit integers, float64 holds those up to 2⁵³.
  package var exactType: ElementType {
    switch self {
    case .float16, .bfloat16: self
    case .float32, .int8, .uint8, .int16, .uint16: .float32
    case .float64, .int32, .uint32, .int64, .uint64: .float64
    }
  }

  /// The largest number up to which this type, and float32, in which netconv reads it, hold every whole number.
  package var largestExactIndex: Int {
    switch self {
    case .int8: 127
    case .uint8: 255
    case .bfloat16: 1 << 8
    case .float16: 1 << 11
    case .int16: 32_767
    case .uint16: 65_535
    case .float32, .float64, .int32, .uint32, .int64, .uint64: 1 << 24
    }
  }
}
