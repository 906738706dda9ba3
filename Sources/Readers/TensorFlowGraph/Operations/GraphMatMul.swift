import ModelIR
import Operators

/// A product with a constant matrix: a fully-connected layer.
///
/// Source: tensorflow/core/ops/math_ops.cc, `MatMul` and `BatchMatMulV2`.
enum GraphMatMul: GraphOperation {
  static let names = ["BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "MatMul"]
  static let operators: [any Operator.Type] = [Dense.self]
  static let refused = [
    "two values, and a constant in front", "a first operand that is transposed",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let isBatched = node.operation != "MatMul"
    let value = try node.value(0)
    var matrix = try node.constant(1)
    guard !node.flag(isBatched ? "adj_x" : "transpose_a", default: false) else {
      throw .transposedOperand
    }
    let isTransposed = node.flag(isBatched ? "adj_y" : "transpose_b", default: false)
    // A product for each of one matrix.
    if isBatched, matrix.shape.count > 2, matrix.shape.dropLast(2).allSatisfy({ $0 == 1 }),
      matrix.shape.count <= value.rank
    {
      matrix = try matrix.reshaped(Array(matrix.shape.suffix(2)))
    }
    guard matrix.shape.count == 2 else { throw .wrongRankOfConstant(matrix.shape, expected: 2) }
    guard value.rank > 1, isBatched || value.rank == 2 else {
      throw .wrongRankOfValue(value.shape, expected: 2)
    }
    if isTransposed { matrix = matrix.transposed([1, 0]) }
    return [
      .value(
        try graph.draft(
          Dense(units: matrix.shape[1]), [value],
          [.kernel: GraphDraft.Parameter(constant: matrix, layout: .io)], merged: value.merged))
    ]
  }
}
