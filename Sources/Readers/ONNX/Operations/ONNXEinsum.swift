import ModelIR
import Operators

/// Einstein summation of products.
///
/// Source: onnx/docs/Operators.md, `Einsum`.
enum ONNXEinsum: ONNXOperation {
  static let names = ["Einsum"]
  static let operators: [any Operator.Type] = [Dense.self, MatMul.self, Permute.self, Reshape.self]
  static let refused = [
    "sums over the batch, or over an axis of one operand alone", "outer products", "diagonals",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    [try graph.einsum(node.text("equation", default: ""), node.operands)]
  }
}
