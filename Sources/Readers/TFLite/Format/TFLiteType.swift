import ModelIR

/// A tensor type of TensorFlow Lite.
///
/// Source: tensorflow/lite/schema/schema.fbs, `TensorType`.
struct TFLiteType: RawRepresentable, Hashable, Sendable {
  let rawValue: Int

  static let float32 = TFLiteType(rawValue: 0)
  static let float16 = TFLiteType(rawValue: 1)

  /// The corresponding netconv type; `nil` if it is not supported.
  var element: GraphElement? {
    switch rawValue {
    case 0: .number(.float32)
    case 1: .number(.float16)
    case 2: .number(.int32)
    case 3: .number(.uint8)
    case 4: .number(.int64)
    case 6: .truth
    case 7: .number(.int16)
    case 9: .number(.int8)
    case 10: .number(.float64)
    case 12: .number(.uint64)
    case 15: .number(.uint32)
    case 16: .number(.uint16)
    case 18: .number(.bfloat16)
    default: nil
    }
  }

  /// The name of the type.
  var name: String { element?.name ?? Self.otherNames[rawValue] ?? "type \(rawValue)" }

  private static let otherNames = [
    5: "string", 8: "complex64", 11: "complex128", 13: "resource", 14: "variant", 17: "int4",
    19: "int2", 20: "uint4",
  ]

  /// The corresponding TensorFlow type; `nil` if it is not supported.
  var inTensorFlow: TensorFlowType? {
    element.flatMap { element in
      (1...23).map(TensorFlowType.init(rawValue:)).first { $0.element == element }
    }
  }
}
