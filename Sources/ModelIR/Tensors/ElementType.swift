/// The element type of a stored tensor.
public enum ElementType: String, Sendable, Hashable, CaseIterable {
  /// IEEE 754 binary16.
  case float16
  /// The upper half of a binary32.
  case bfloat16
  /// IEEE 754 binary32; the type that netconv computes in.
  case float32
  /// IEEE 754 binary64.
  case float64
  /// Signed 8-bit integer.
  case int8
  /// Unsigned 8-bit integer.
  case uint8
  /// Signed 16-bit integer.
  case int16
  /// Unsigned 16-bit integer.
  case uint16
  /// Signed 32-bit integer.
  case int32
  /// Unsigned 32-bit integer.
  case uint32
  /// Signed 64-bit integer.
  case int64
  /// Unsigned 64-bit integer.
  case uint64

  /// The size of a value in bytes.
  public var byteCount: Int {
    switch self {
    case .int8, .uint8: 1
    case .float16, .bfloat16, .int16, .uint16: 2
    case .float32, .int32, .uint32: 4
    case .float64, .int64, .uint64: 8
    }
  }
}
