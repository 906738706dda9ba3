import ModelIR

/// A dtype in the header of a safetensors file.
///
/// Source: safetensors/src/tensor.rs, `Dtype`.
public enum SafetensorsType: String, Sendable, CaseIterable {
  /// Booleans, one byte each.
  case bool = "BOOL"
  /// Signed 8-bit integers.
  case int8 = "I8"
  /// Unsigned 8-bit integers.
  case uint8 = "U8"
  /// Signed 16-bit integers.
  case int16 = "I16"
  /// Unsigned 16-bit integers.
  case uint16 = "U16"
  /// Signed 32-bit integers.
  case int32 = "I32"
  /// Unsigned 32-bit integers.
  case uint32 = "U32"
  /// Signed 64-bit integers.
  case int64 = "I64"
  /// Unsigned 64-bit integers.
  case uint64 = "U64"
  /// Complex numbers: float32 real and imaginary parts.
  case complex64 = "C64"
  /// IEEE 754 binary16.
  case float16 = "F16"
  /// bfloat16: the upper half of a binary32.
  case bfloat16 = "BF16"
  /// IEEE 754 binary32.
  case float32 = "F32"
  /// IEEE 754 binary64.
  case float64 = "F64"
  /// FP8 with 4 exponent and 3 fraction bits.
  case float8e4m3 = "F8_E4M3"
  /// FP8 with 5 exponent and 2 fraction bits.
  case float8e5m2 = "F8_E5M2"
  /// FP8 with 4 exponent and 3 fraction bits, without infinity and negative zero.
  case float8e4m3fnuz = "F8_E4M3FNUZ"
  /// FP8 with 5 exponent and 2 fraction bits, without infinity and negative zero.
  case float8e5m2fnuz = "F8_E5M2FNUZ"
  /// Powers of 2, used as scales.
  case float8e8m0 = "F8_E8M0"
  /// FP6 with 2 exponent and 3 fraction bits, packed.
  case float6e2m3 = "F6_E2M3"
  /// FP6 with 3 exponent and 2 fraction bits, packed.
  case float6e3m2 = "F6_E3M2"
  /// FP4, two values per byte.
  case float4 = "F4"

  /// Creates the dtype of an element type.
  public init(_ type: ElementType) {
    self =
      switch type {
      case .float16: .float16
      case .bfloat16: .bfloat16
      case .float32: .float32
      case .float64: .float64
      case .int8: .int8
      case .uint8: .uint8
      case .int16: .int16
      case .uint16: .uint16
      case .int32: .int32
      case .uint32: .uint32
      case .int64: .int64
      case .uint64: .uint64
      }
  }

  /// The element type of the values; `nil` for FP8 and smaller floats, and complex numbers.
  public var elementType: ElementType? {
    self == .bool ? .uint8 : ElementType.allCases.first { SafetensorsType($0) == self }
  }

  /// The decoding table of an FP8 type; `nil` for other types.
  public var float8: Float8? { Float8(rawValue: rawValue) }

  /// The size of a value in bits.
  public var bitCount: Int {
    switch self {
    case .complex64: 64
    case .float6e2m3, .float6e3m2: 6
    case .float4: 4
    default: (elementType?.byteCount ?? 1) * 8
    }
  }

  /// The name of the dtype in messages.
  public var name: String { self == .bool ? "bool" : elementType?.rawValue ?? rawValue }

  /// Returns the size in bytes of a tensor.
  ///
  /// - Throws: `badData` if the size overflows or is not a whole number of bytes.
  func byteCount(of shape: [Int]) throws(NetconvError) -> Int {
    guard bitCount < 8 else { return try product(shape + [bitCount / 8]) }
    let bits = try product(shape + [bitCount])
    guard bits.isMultiple(of: 8) else { throw .partOfByte(bits, shape: shape, type: rawValue) }
    return bits / 8
  }
}

extension NetconvError {
  fileprivate static func partOfByte(_ bits: Int, shape: [Int], type: String) -> NetconvError {
    NetconvError(
      .badData, "takes \(bits) bits (\(shape) of \(type)), which is no whole number of bytes")
  }
}
