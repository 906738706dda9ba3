import ModelIR
import Operators

/// Functions of quantised values, computed on dequantised values.
///
/// Source: onnxruntime/docs/ContribOperators.md, the operators with the prefix `QLinear`,
/// `DynamicQuantizeMatMul` and `MatMulIntegerToFloat`.
enum ONNXQuantizedArithmetic: ONNXOperation {
  static let domain = "com.microsoft"
  static let names = [
    "DynamicQuantizeMatMul", "MatMulIntegerToFloat", "QLinearAdd", "QLinearConcat",
    "QLinearGlobalAveragePool", "QLinearLeakyRelu", "QLinearMul",
    "QLinearSigmoid",
  ]
  static let operators: [any Operator.Type] =
    ONNXQuantization.operators + [
      Add.self, Concatenate.self, GlobalAveragePooling1D.self, GlobalAveragePooling2D.self,
      Multiply.self,
    ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    if node.operation.contains("MatMul") { return [try product(node, &graph)] }
    let result: GraphResult
    let output: ONNXScale
    switch node.operation {
    case "QLinearAdd", "QLinearMul":
      let operands = [
        try real(node, 0, &graph), try real(node, 3, &graph),
      ]
      result = try graph.apply(node.operation == "QLinearAdd" ? .add : .multiply, operands)
      output = try ONNXScale(node, scale: 6, zeroPoint: 7, axis: 1)
    case "QLinearConcat":
      var parts: [GraphResult] = []
      for index in stride(from: 2, to: node.inputs.count, by: 3) {
        parts.append(try real(node, index, &graph))
      }
      result = try graph.concatenate(parts, along: node.integer("axis", default: 1))
      output = try ONNXScale(node, scale: 0, zeroPoint: 1, axis: 1)
    default:
      let x = try real(node, 0, &graph)
      switch node.operation {
      case "QLinearGlobalAveragePool":
        guard !node.flag("channels_last") else {
          throw .unknownSetting("channels_last", "1", known: ["0"])
        }
        result = .value(try graph.poolAll(graph.sample(x), isMean: true))
      case "QLinearLeakyRelu":
        result = try graph.apply(
          .leakyReLU(slope: node.number("alpha", default: Double(Float(0.01)))), [x])
      default: result = try graph.apply(.sigmoid, [x])
      }
      output = try ONNXScale(node, scale: 3, zeroPoint: 4, axis: 1)
    }
    return [try output.quantized(result, &graph)]
  }

  /// The product of dequantised matrices, and a bias.
  private static func product(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let isDynamic = node.operation == "DynamicQuantizeMatMul"
    let first: GraphResult
    if isDynamic {
      let x = try ONNXQuantization.dynamicallyQuantized(node.value(0), &graph)
      first = try x.scale.dequantized(x.results[0], &graph)
    } else {
      first = try ONNXScale(node, scale: 2, zeroPoint: 4, axis: -2).dequantized(
        node.input(0), &graph)
    }
    let scale = try ONNXScale(
      node, scale: isDynamic ? 2 : 3, zeroPoint: isDynamic ? 3 : 5, axis: -1)
    let second: GraphResult
    if case .constant(let matrix) = try node.input(1) {
      second = .constant(try matrix.scaled(by: scale, at: graph.node))
    } else {
      second = try scale.dequantized(node.input(1), &graph)
    }
    let result = GraphResult.value(try graph.multiply([first, second], isBatched: true))
    guard let bias = node.optional(isDynamic ? 4 : 6) else { return result }
    return try graph.apply(.add, [result, bias])
  }

  /// The dequantised input at an index; its scale and zero point are the next inputs.
  private static func real(
    _ node: MappedONNXNode, _ index: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let scale = try ONNXScale(node, scale: index + 1, zeroPoint: index + 2, axis: 1)
    return try scale.dequantized(node.input(index), &graph)
  }
}
