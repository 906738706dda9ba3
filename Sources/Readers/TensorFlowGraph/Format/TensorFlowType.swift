import ModelIR

/// A type of values, by TensorFlow's number for it.
///
/// Source: tensorflow/core/framework/types.proto.
struct TensorFlowType: Hashable, Sendable {
  /// As files have it; those of references are 100 larger.
  let number: Int

  init(_ number: Int) {
    self.number = number > 100 ? number - 100 : number
  }

  static let float = TensorFlowType(1)
  static let double = TensorFlowType(2)
  static let int32 = TensorFlowType(3)
  static let int64 = TensorFlowType(9)
  static let bool = TensorFlowType(10)
  static let string = TensorFlowType(7)

  /// How a value lies in bytes; `nil` of what netconv has no numbers for, such as strings and complex numbers.
  var elementType: ElementType? { Self.elementTypes[number] }

  private static let elementTypes: [Int: ElementType] = [
    1: .float32, 2: .float64, 3: .int32, 4: .uint8, 5: .int16, 6: .int8, 9: .int64, 10: .uint8,
    14: .bfloat16, 17: .uint16, 19: .float16, 22: .uint32, 23: .uint64,
  ]

  /// Whether values are whole numbers or truth values.
  var isInteger: Bool {
    switch elementType {
    case .float16, .bfloat16, .float32, .float64, nil: false
    default: true
    }
  }

  /// What TensorFlow calls it.
  var name: String { Self.names[number] ?? "type \(number)" }

  private static let names: [Int: String] = [
    1: "float", 2: "double", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string",
    8: "complex64", 9: "int64", 10: "bool", 11: "qint8", 12: "quint8", 13: "qint32",
    14: "bfloat16", 15: "qint16", 16: "quint16", 17: "uint16", 18: "complex128", 19: "half",
    20: "resource", 21: "variant", 22: "uint32", 23: "uint64",
  ]
}
