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

  /// The type of values that graphs compute with; `nil` of texts and the like.
  var element: GraphElement? { self == .bool ? .truth : elementType.map { .number($0) } }

  /// Whether values are no real numbers, but integers, truth values or the like.
  var isInteger: Bool { element?.isInteger ?? false }
}
