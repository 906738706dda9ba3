import ModelIR

extension TensorFlowType {
  /// The type of a number in a graph, where those of references are 100 larger.
  init(inGraph number: Int) {
    self.init(rawValue: number > 100 ? number - 100 : number)
  }

  static let float = TensorFlowType(rawValue: 1)
  static let int32 = TensorFlowType(rawValue: 3)
  static let bool = TensorFlowType(rawValue: 10)

  /// How a value lies in bytes that graphs compute with, truth values among them; `nil` of texts and the like.
  var storedType: ElementType? { self == .bool ? .uint8 : elementType }

  /// Whether values are whole numbers or truth values.
  var isInteger: Bool {
    switch storedType {
    case .float16, .bfloat16, .float32, .float64, nil: false
    default: true
    }
  }
}
