import ModelIR
import Operators

/// Fully-connected layers, with kernels of shape `[out, in]`.
///
/// Source: tensorflow/lite/kernels/fully_connected.cc.
enum TFLiteDense: TFLiteOperation {
  static let names = ["FULLY_CONNECTED"]
  static let operators: [any Operator.Type] = [Attention.self, Dense.self, MatMul.self]
  static let refused = ["shuffled weights"]

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let product = try product(node, &graph)
    let sum = try node.biased(.value(product), by: 2, &graph)
    return [try node.activated(sum, by: node.options(8).choice(0), &graph)]
  }

  /// Drafts the product, without bias and activation.
  static func product(
    _ node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    let options = try node.options(8)
    guard try options.choice(1) == 0 else {
      throw .unknownSetting("weights_format", "SHUFFLED4x16INT8", known: ["DEFAULT"])
    }
    let kernel = try node.input(1)
    let keepsAxes = try options.flag(2)
    let columns: Int
    var isConstant = false
    switch kernel {
    case .constant:
      columns = try node.constant(1, rank: 2).shape[1]
      isConstant = true
    default: columns = try node.value(1).size(-1)
    }
    let input = keepsAxes ? try node.input(0) : try rows(of: columns, node, &graph)
    return try graph.multiply(
      [input, kernel], transposesSecond: true, isBatched: keepsAxes || !isConstant)
  }

  /// The input reshaped to `[-1, columns]`.
  private static func rows(
    of columns: Int, _ node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let value = try node.value(0)
    if value.rank == 2, graph.graphSizes(of: value).dimensions[1] == columns {
      return .value(value)
    }
    return try graph.reshape(
      .value(value),
      to: GraphConstant(
        [-1, Double(columns)], shape: [2], type: .int32, path: "\(node.name)/rows"))
  }
}
