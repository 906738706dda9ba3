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
}
