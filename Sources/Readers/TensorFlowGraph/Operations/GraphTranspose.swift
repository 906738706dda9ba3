import ModelIR
import Operators

/// Permutations of axes.
///
/// Source: tensorflow/core/ops/array_ops.cc, `Transpose` and `InvertPermutation`.
enum GraphTranspose: GraphOperation {
  static let names = ["InvertPermutation", "Transpose"]
  static let operators: [any Operator.Type] = [Permute.self]
  static let folded = names
  static let refused = ["orders that move the batch"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    if node.operation == "InvertPermutation" {
      return [.constant(try inverted(node.constant(0), at: node.name))]
    }
    return [try graph.transpose(node.input(0), node.constant(1).integers())]
  }

  private static func inverted(
    _ constant: GraphConstant, at path: String
  ) throws(NetconvError) -> GraphConstant {
    let order = try constant.integers()
    guard order.sorted() == Array(order.indices) else { throw .wrongPermutation(order) }
    var inverse = [Double](repeating: 0, count: order.count)
    for (index, axis) in order.enumerated() { inverse[axis] = Double(index) }
    return GraphConstant(inverse, shape: constant.shape, type: constant.type, path: path)
  }
}
