import ModelIR

extension TensorFlowType {
  /// Creates a type from its number in a graph, where reference types are offset by 100.
  init(inGraph number: Int) {
    self.init(rawValue: number > 100 ? number - 100 : number)
  }

  static let float = TensorFlowType(rawValue: 1)
  static let int32 = TensorFlowType(rawValue: 3)
  static let bool = TensorFlowType(rawValue: 10)

  /// The element type in which values are stored, booleans included; `nil` for strings and other non-numeric types.
  var storedType: ElementType? { self == .bool ? .uint8 : elementType }

  /// The element type in a graph; `nil` for strings and other non-numeric types.
  var element: GraphElement? { self == .bool ? .truth : elementType.map { .number($0) } }

  /// True for integers, booleans and similar types.
  var isInteger: Bool { element?.isInteger ?? false }
}
