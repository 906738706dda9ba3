import ModelIR

/// A TensorFlow dtype, identified by its number.
///
/// Source: tensorflow/core/framework/types.proto.
struct TensorFlowType: RawRepresentable, Hashable, Sendable {
  let rawValue: Int

  static let string = TensorFlowType(rawValue: 7)

  /// True if all values have the same size; false for strings and other objects.
  var isFixedSize: Bool { ![7, 20, 21].contains(rawValue) }

  /// The equivalent element type; `nil` for unsupported dtypes: strings, Booleans, complex and quantised numbers.
  var elementType: ElementType? {
    switch rawValue {
    case 1: .float32
    case 2: .float64
    case 3: .int32
    case 4: .uint8
    case 5: .int16
    case 6: .int8
    case 9: .int64
    case 14: .bfloat16
    case 17: .uint16
    case 19: .float16
    case 22: .uint32
    case 23: .uint64
    default: nil
    }
  }
}

extension TensorFlowType: CustomStringConvertible {
  /// The name in NumPy and TensorFlow.
  var description: String {
    elementType?.rawValue ?? Self.otherNames[rawValue] ?? "type \(rawValue)"
  }

  private static let otherNames = [
    7: "string", 8: "complex64", 10: "bool", 11: "qint8", 12: "quint8", 13: "qint32", 15: "qint16",
    16: "quint16", 18: "complex128", 20: "resource", 21: "variant", 24: "float8_e5m2",
    25: "float8_e4m3fn", 29: "int4", 30: "uint4",
  ]
}
