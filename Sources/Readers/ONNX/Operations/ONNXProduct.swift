import ModelIR
import Operators

/// Matrix products.
///
/// Source: onnx/docs/Operators.md, `Gemm` and `MatMul`.
enum ONNXProduct: ONNXOperation {
  static let names = ["Gemm", "MatMul"]
  static let operators: [any Operator.Type] = [Attention.self, Dense.self, MatMul.self]
  static let refused = ["a constant in front of vectors"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    if node.operation == "MatMul" {
      return [try product(of: node, &graph)]
    }
    var operand = try node.input(0)
    if node.flag("transA") { operand = try graph.transpose(operand, [1, 0]) }
    let input = try graph.value([operand], 0)
    let alpha = node.number("alpha", default: 1)
    var matrix = try node.constant(1)
    guard matrix.shape.count == 2 else { throw .wrongRankOfConstant(matrix.shape, expected: 2) }
    if node.flag("transB") { matrix = matrix.transposed([1, 0]) }
    if alpha != 1 { matrix = try matrix.multiplied(by: alpha, at: graph.node) }
    let units = matrix.shape[1]
    var parameters: [ParameterRole: GraphDraft.Parameter] = [
      .kernel: GraphDraft.Parameter(constant: matrix, layout: .io)
    ]
    let beta = node.number("beta", default: 1)
    var rest = node.optional(2)
    if beta == 0 { rest = nil }
    if case .constant(var bias)? = rest, bias.count == units, bias.shape.last == units {
      if beta != 1 { bias = try bias.multiplied(by: beta, at: graph.node) }
      parameters[.bias] = GraphDraft.Parameter(
        constant: try bias.reshaped([units]), layout: nil)
      rest = nil
    }
    guard input.rank == 2 else { throw .wrongRankOfValue(input.shape, expected: 2) }
    let product = try graph.draft(Dense(units: units), [input], parameters, batch: input.batch)
    guard let rest else { return [.value(product)] }
    let scaled = beta == 1 ? rest : try graph.apply(.multiply, [rest, .number(beta)])
    return [try graph.apply(.add, [.value(product), scaled])]
  }
}

extension ONNXProduct {
  /// The product of matrices; a vector is a row in front, a column behind, and its axis is removed again.
  private static func product(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    var operands = node.operands
    guard operands.count == 2 else { throw .missingOperand(1, node.operation) }
    var removed: [Int] = []
    if try node.rank(of: operands[0]) == 1 {
      operands[0] = try graph.expand(operands[0], at: [0])
      removed.append(-2)
    }
    if try node.rank(of: operands[1]) == 1 {
      operands[1] = try graph.expand(operands[1], at: [1])
      removed.append(-1)
    }
    let product = GraphResult.value(try graph.multiply(operands, isBatched: true))
    return removed.isEmpty ? product : try graph.squeeze(product, removed)
  }
}

extension GraphConstant {
  fileprivate func multiplied(
    by number: Double, at path: String
  ) throws(NetconvError) -> GraphConstant {
    let factor = GraphConstant([number], shape: [], type: type, path: path)
    return try .folded(.multiply, of: [self, factor], at: path)
  }
}
