import ModelIR
import Operators

/// Products with a constant matrix, which are fully-connected layers, and matrix products of two values.
///
/// Source: tensorflow/core/ops/math_ops.cc, `MatMul` and `BatchMatMulV2`.
enum GraphMatMul: GraphOperation {
  static let names = ["BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "MatMul"]
  static let operators: [any Operator.Type] = [Attention.self, Dense.self, MatMul.self]
  static let refused = [
    "a constant in front of vectors", "a value in front of a constant that is transposed",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let isBatched = node.operation != "MatMul"
    return [
      .value(
        try graph.multiply(
          node.inputs,
          transposesFirst: node.flag(isBatched ? "adj_x" : "transpose_a", default: false),
          transposesSecond: node.flag(isBatched ? "adj_y" : "transpose_b", default: false),
          isBatched: isBatched))
    ]
  }
}
