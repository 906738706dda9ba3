import ModelIR
import Operators

/// Fused operations, as written by the optimiser of ONNX Runtime.
///
/// Source: onnxruntime/docs/ContribOperators.md.
enum ONNXFused: ONNXOperation {
  static let names = [
    "BiasGelu", "FastGelu", "FusedConv", "FusedMatMul", "Gelu", "SkipLayerNormalization",
  ]
  static let domain = "com.microsoft"
  static let operators =
    ONNXConvolution.operators + [
      Activation.self, Add.self, LayerNormalization.self, MatMul.self, Rescaling.self,
    ] as [any Operator.Type]
  static let refused = [
    "activations of FusedConv other than Clip, HardSigmoid, LeakyRelu, Relu, Sigmoid and Tanh",
    "transBatchA and transBatchB", "mean and deviation of SkipLayerNormalization",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "BiasGelu", "FastGelu", "Gelu":
      var input = try node.input(0)
      if let bias = node.optional(1) { input = try graph.apply(.add, [input, bias]) }
      return [
        .value(
          try graph.activate(
            graph.value([input], 0), .gelu(approximate: node.operation == "FastGelu")))
      ]
    case "FusedMatMul":
      guard !node.flag("transBatchA"), !node.flag("transBatchB") else {
        throw .unknownSetting("transBatchA", "1", known: ["0"])
      }
      let product = try graph.multiply(
        node.operands, transposesFirst: node.flag("transA"),
        transposesSecond: node.flag("transB"), isBatched: true)
      let alpha = node.number("alpha", default: 1)
      return [
        alpha == 1
          ? .value(product) : try graph.apply(.multiply, [.value(product), .number(alpha)])
      ]
    case "SkipLayerNormalization": return try normalized(node, &graph)
    default: return [try convolution(node, &graph)]
    }
  }

  /// The normalised sum of two values and a bias; the sum itself is the fourth output.
  private static func normalized(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    var sum = try graph.apply(.add, [node.input(0), node.input(1)])
    if let bias = node.optional(4) { sum = try graph.apply(.add, [sum, bias]) }
    let input = try graph.sample(sum)
    var parameters: [ParameterRole: GraphDraft.Parameter] = [
      .gamma: GraphDraft.Parameter(constant: try node.constant(2), layout: nil)
    ]
    if let beta = try node.optionalConstant(3) {
      parameters[.beta] = GraphDraft.Parameter(constant: beta, layout: nil)
    }
    let epsilon = node.number("epsilon", default: Double(Float(1e-12)))
    let result = try graph.draft(LayerNormalization(epsilon: epsilon), [input], parameters)
    let problem = GraphResult.problem(
      GraphProblem(NetconvError.noSuchOutput(1).inNode(graph.node, node.operation)))
    return [.value(result), problem, problem, sum]
  }

  private static func convolution(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    var result = GraphResult.value(try ONNXConvolution.convolution(node, &graph))
    if let other = node.optional(3) { result = try graph.apply(.add, [result, other]) }
    let numbers = node.numbers("activation_params") ?? []
    switch (node.text("activation", default: ""), numbers.count) {
    case ("", _): return result
    case ("Relu", _): return try graph.apply(.relu, [result])
    case ("Sigmoid", _): return try graph.apply(.sigmoid, [result])
    case ("Tanh", _): return try graph.apply(.tanh, [result])
    case ("LeakyRelu", 1): return try graph.apply(.leakyReLU(slope: numbers[0]), [result])
    case ("HardSigmoid", 2):
      return try graph.apply(.hardSigmoid(slope: numbers[0], offset: numbers[1]), [result])
    case ("Clip", 2):
      let above = try graph.apply(.maximum, [result, .number(numbers[0])])
      return try graph.apply(.minimum, [above, .number(numbers[1])])
    case (let other, _):
      throw .unknownSetting(
        "activation", other,
        known: ["Clip", "HardSigmoid", "LeakyRelu", "Relu", "Sigmoid", "Tanh"])
    }
  }
}
