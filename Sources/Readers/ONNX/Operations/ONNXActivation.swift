import ModelIR
import Operators

/// Activations with their settings.
///
/// Source: onnx/docs/Operators.md; opset 12 for the softmax that flattens axes.
enum ONNXActivation: ONNXOperation {
  static let names = [
    "Celu", "Elu", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "LogSoftmax", "Mish", "PRelu",
    "Relu", "Selu", "Shrink", "Sigmoid", "Softmax", "Softplus", "Softsign", "Swish", "Tanh",
    "ThresholdedRelu",
  ]
  static let operators: [any Operator.Type] = [Activation.self, PReLU.self, Where.self]
  static let refused = [
    "a bias of Shrink that is neither 0 nor its lambd"
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Softmax", "LogSoftmax": return [.value(try softmax(node, &graph))]
    case "PRelu":
      return [try graph.rectify(node.value(0), by: node.input(1), isChannelsFirst: true)]
    case "Selu": return [try selu(node, &graph)]
    default: break
    }
    if let function = try function(node.operation, node) {
      if case .hardSigmoid(let slope, let offset) = function, offset != 0.5 {
        let line = try graph.apply(
          .add, [graph.apply(.multiply, [node.input(0), .number(slope)]), .number(offset)])
        return [
          try graph.apply(.minimum, [graph.apply(.maximum, [line, .number(0)]), .number(1)])
        ]
      }
      return [try graph.apply(function, [node.input(0)])]
    }
    return [.value(try graph.activate(node.value(0), activation(node)))]
  }

  /// The elementwise function of an operation.
  private static func function(
    _ operation: String, _ node: MappedONNXNode
  ) throws(NetconvError) -> PointFunction? {
    switch operation {
    case "Elu": return .elu(alpha: node.number("alpha", default: 1))
    case "HardSigmoid":
      return .hardSigmoid(
        slope: node.number("alpha", default: Double(Float(0.2))),
        offset: node.number("beta", default: 0.5))
    case "LeakyRelu": return .leakyReLU(slope: node.number("alpha", default: Double(Float(0.01))))
    case "Relu": return .relu
    case "Sigmoid": return .sigmoid
    case "Softplus": return .softplus
    case "Softsign": return .softsign
    case "Tanh": return .tanh
    default: return nil
    }
  }

  private static func activation(
    _ node: MappedONNXNode
  ) throws(NetconvError) -> ActivationFunction {
    switch node.operation {
    case "Celu": return .celu(alpha: node.number("alpha", default: 1))
    case "Gelu":
      switch node.text("approximate", default: "none") {
      case "none": return .gelu(approximate: false)
      case "tanh": return .gelu(approximate: true)
      case let other: throw .unknownSetting("approximate", other, known: ["none", "tanh"])
      }
    case "HardSwish": return .hardSilu
    case "Mish": return .mish
    case "Shrink":
      let (bias, limit) = (node.number("bias", default: 0), node.number("lambd", default: 0.5))
      guard bias == 0 || bias == limit else {
        throw .unknownSetting("bias", "\(bias)", known: ["0", "\(limit)"])
      }
      return bias == 0 ? .hardShrink(threshold: limit) : .softShrink(threshold: limit)
    case "Swish":
      let alpha = node.number("alpha", default: 1)
      guard alpha == 1 else { throw .unknownSetting("alpha", "\(alpha)", known: ["1"]) }
      return .silu
    case "ThresholdedRelu":
      return .threshold(threshold: node.number("alpha", default: 1), value: 0)
    default: throw .unknownOperation(node.operation)
    }
  }

  /// A SELU with the standard constants or others.
  private static func selu(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    // Before opset 6 the constants had five digits.
    let isOld = node.opset < 6
    let alpha = node.number(
      "alpha", default: isOld ? Double(Float(1.6732)) : ActivationFunction.seluAlpha)
    let gamma = node.number(
      "gamma", default: isOld ? Double(Float(1.0507)) : ActivationFunction.seluScale)
    let input = try node.input(0)
    if abs(alpha - ActivationFunction.seluAlpha) < 1e-6,
      abs(gamma - ActivationFunction.seluScale) < 1e-6
    {
      return try graph.apply(.selu, [input])
    }
    return try graph.apply(
      .multiply, [graph.apply(.elu(alpha: alpha), [input]), .number(gamma)])
  }

  private static func softmax(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    let input = try node.value(0)
    let rank = input.rank
    let axis = try resolvedAxis(
      node.integer("axis", default: node.opset < 13 ? 1 : -1), rank: rank)
    // Before opset 13 the axes from this one on are flattened.
    let axes = node.opset < 13 ? Array(axis..<rank) : [axis]
    return try graph.softmax(
      input, over: axes, isLogarithm: node.operation == "LogSoftmax")
  }
}
