import ModelIR
import Operators

/// Sums, means, extrema and norms along axes.
///
/// Source: onnx/docs/Operators.md; opset 13 and 18 for axes as an input.
enum ONNXReduction: ONNXOperation {
  static let names =
    Array(functions.keys) + [
      "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare",
    ]
  static let operators: [any Operator.Type] = [
    GlobalAveragePooling1D.self, GlobalAveragePooling2D.self, GlobalMaxPooling1D.self,
    GlobalMaxPooling2D.self, Reduce.self,
  ]
  static let refused = ["the batch's axis"]

  private static let functions: [String: Reduce.Function] = [
    "ReduceMax": .maximum, "ReduceMean": .mean, "ReduceMin": .minimum, "ReduceProd": .product,
    "ReduceSum": .sum,
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    var input = try node.input(0)
    let stated = try node.integers("axes", orInput: 1) ?? []
    if stated.isEmpty, node.flag("noop_with_empty_axes") { return [input] }
    let rank = try node.rank(of: input)
    let axes = stated.isEmpty ? Array(0..<rank) : stated
    switch node.operation {
    case "ReduceL1": input = try graph.apply(.elementwise(.absolute), [input])
    case "ReduceL2", "ReduceSumSquare": input = try graph.apply(.square, [input])
    case "ReduceLogSumExp":
      return [
        try logarithmOfExponentials(
          input, axes, keepDimensions: node.flag("keepdims", default: true), &graph)
      ]
    default: break
    }
    let sum = try graph.reduce(
      functions[node.operation] ?? .sum, input, axes: axes,
      keepDimensions: node.flag("keepdims", default: true))
    switch node.operation {
    case "ReduceL2": return [try graph.apply(.elementwise(.squareRoot), [sum])]
    case "ReduceLogSum": return [try graph.apply(.elementwise(.logarithm), [sum])]
    default: return [sum]
    }
  }

  /// log(Σ exp(x)), computed relative to the maximum: exponentials of large values overflow.
  private static func logarithmOfExponentials(
    _ input: GraphResult, _ axes: [Int], keepDimensions: Bool, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let largest = try graph.reduce(.maximum, input, axes: axes, keepDimensions: true)
    let powers = try graph.apply(.exponential, [graph.apply(.subtract, [input, largest])])
    let sum = try graph.reduce(.sum, powers, axes: axes, keepDimensions: true)
    let result = try graph.apply(
      .add, [graph.apply(.elementwise(.logarithm), [sum]), largest])
    return keepDimensions ? result : try graph.squeeze(result, axes)
  }
}
