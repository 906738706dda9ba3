import ModelIR
import Operators

/// Attention of several heads, as written by the optimiser of ONNX Runtime.
///
/// Source: onnxruntime/docs/ContribOperators.md, `com.microsoft.MultiHeadAttention`.
enum ONNXMultiHeadAttention: ONNXOperation {
  static let names = ["MultiHeadAttention"]
  static let domain = "com.microsoft"
  static let operators: [any Operator.Type] = [Add.self, Attention.self]
  static let refused = [
    "keys and values packed into one array", "key_padding_mask", "past and present keys",
    "an attention_bias that is constant",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    for (index, name) in [4: "key_padding_mask", 6: "past_key", 7: "past_value"]
    where node.optional(index) != nil {
      throw .unreadUse(name)
    }
    guard let heads = node.integer("num_heads"), heads > 0 else {
      throw .unknownSetting("num_heads", "none", known: ["a number above 0"])
    }
    var inputs: [GraphValue] = []
    for index in 0..<3 {
      let value = try graph.value([biased(node, index, &graph)], 0)
      // Packed keys and values have an axis for both.
      guard value.rank == 3 else { throw .wrongRankOfValue(value.shape, expected: 3) }
      inputs.append(try graph.sample(.value(value)))
    }
    var masks: [AttentionMask] = []
    if let bias = node.optional(5) {
      inputs.append(try graph.sample(.value(graph.value([bias], 0))))
      masks.append(.bias)
    }
    let scale = node.number("scale", default: 0)
    let operation = Attention(
      heads: heads, scale: scale == 0 ? nil : scale,
      after: node.flag("unidirectional") ? 0 : nil, masks: masks)
    let present = GraphResult.problem(
      GraphProblem(NetconvError.unreadUse("present keys").inNode(graph.node, node.operation)))
    return [.value(try graph.draft(operation, inputs)), present, present]
  }

  /// An operand with its part of the bias.
  private static func biased(
    _ node: MappedONNXNode, _ index: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let input = try node.input(index)
    guard let bias = try node.optionalConstant(3) else { return input }
    let value = try graph.value([input], 0)
    // The biases of queries and keys have one width; that of values has the rest.
    let width = try graph.value([node.input(0)], 0).size(2)
    let own = try value.size(2)
    let rest = bias.count - 2 * width
    guard bias.shape.count == 1, own == (index < 2 ? width : rest) else {
      throw .wrongBlock(bias.shape)
    }
    let indices = (0..<own).map { Double(index * width + $0) }
    let numbers = GraphConstant(
      indices, shape: [own], type: .int32, path: "\(graph.node)/part")
    return try graph.apply(
      .add, [input, .constant(bias.gathered(numbers, along: 0, at: graph.node))])
  }
}
