import ModelIR
import Operators

/// A product with a constant matrix, which is a fully-connected layer, or of the matrices of two values.
///
/// Source: tensorflow/core/ops/math_ops.cc, `MatMul` and `BatchMatMulV2`.
enum GraphMatMul: GraphOperation {
  static let names = ["BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "MatMul"]
  static let operators: [any Operator.Type] = [Dense.self, MatMul.self]
  static let refused = [
    "a constant in front of vectors", "a value in front of a constant that is transposed",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let isBatched = node.operation != "MatMul"
    if isBatched, let product = try product(node, &graph) { return [.value(product)] }
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

  /// The product of the matrices of two values, or of a table and those of a value; `nil` where a constant is behind.
  private static func product(
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphValue? {
    guard node.inputs.count == 2, case .value = node.inputs[1] else { return nil }
    let second = try node.sample(1)
    let first: GraphValue
    if case .constant(let table) = node.inputs[0] {
      guard second.rank > 2, let sizes = table.tableSizes(rank: second.rank - 1) else {
        throw .wrongRankOfConstant(table.shape, expected: second.rank - 1)
      }
      first = try graph.table(table, of: sizes)
    } else {
      first = try node.sample(0)
    }
    guard first.rank > 2, second.rank == first.rank else {
      throw .ranksDiffer(first.shape, second.shape)
    }
    return try graph.draft(
      MatMul(
        transposesFirst: node.flag("adj_x", default: false),
        transposesSecond: node.flag("adj_y", default: false)), [first, second])
  }
}
