import ModelIR
import Operators

/// Reshape; the shape is an operand, or an option in old files.
///
/// Source: tensorflow/lite/kernels/reshape.cc.
enum TFLiteReshaping: TFLiteOperation {
  static let names = ["RESHAPE"]
  static let operators: [any Operator.Type] = [Flatten.self, Reshape.self]
  static let refused = [
    "shapes that put values of several samples together otherwise than in their order"
  ]

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let sizes: GraphResult
    if let operand = node.optional(1) {
      sizes = operand
    } else {
      let numbers = try node.options(17).integers(0)
      sizes = .integers(numbers, shape: [numbers.count], at: "\(node.name)/shape")
    }
    return try node.results(as: "Reshape", [node.input(0), sizes], [:], &graph)
  }
}

extension GraphResult {
  /// A constant with the integers of an option.
  static func integers(_ numbers: [Int], shape: [Int], at path: String) -> GraphResult {
    .constant(GraphConstant(numbers.map(Double.init), shape: shape, type: .int32, path: path))
  }
}
