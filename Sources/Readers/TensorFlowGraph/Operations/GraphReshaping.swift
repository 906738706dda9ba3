import ModelIR
import Operators

/// Operations that reshape values.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Reshape`, `Squeeze` and `ExpandDims`.
enum GraphReshaping: GraphOperation {
  static let names = ["ExpandDims", "Reshape", "Squeeze"]
  static let operators: [any Operator.Type] = [Flatten.self, Reshape.self]
  static let folded = names
  static let refused = [
    "shapes that put values of several samples together otherwise than in their order"
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "ExpandDims":
      guard let axis = try node.constant(1).integers().first else { throw .wrongSlice }
      return [try graph.expand(node.input(0), at: [axis])]
    case "Squeeze":
      let axes = node.integers("squeeze_dims") ?? node.integers("axis") ?? []
      return [try graph.squeeze(node.input(0), axes.isEmpty ? nil : axes)]
    default: return [try graph.reshape(node.input(0), to: node.constant(1))]
    }
  }
}
