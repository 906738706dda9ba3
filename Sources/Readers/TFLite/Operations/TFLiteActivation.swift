import ModelIR
import Operators

/// Activations that TensorFlow defines differently, or not as a single operation.
///
/// Source: tensorflow/lite/kernels: `activations.cc` and `l2norm.cc`.
enum TFLiteActivation: TFLiteOperation {
  static let names = [
    "GELU", "HARD_SWISH", "L2_NORMALIZATION", "PRELU", "RELU_0_TO_1", "RELU_N1_TO_1", "SOFTMAX",
  ]
  static let operators: [any Operator.Type] = [
    Activation.self, PReLU.self, UnitNormalization.self, Where.self,
  ]

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.input(0)
    switch node.operation {
    case "RELU_0_TO_1": return [try graph.limit(input, to: 0...1)]
    case "RELU_N1_TO_1": return [try graph.limit(input, to: -1...1)]
    default: break
    }
    let value = try node.value(0)
    switch node.operation {
    case "GELU":
      let isApproximate = try node.options(116).flag(0)
      return [.value(try graph.activate(value, .gelu(approximate: isApproximate)))]
    case "HARD_SWISH": return [.value(try graph.activate(value, .hardSilu))]
    case "PRELU":
      return [try graph.rectify(value, by: node.input(1), isChannelsFirst: false)]
    case "SOFTMAX": return [.value(try softmax(node, &graph))]
    default: return [try normalized(value, node, &graph)]
    }
  }

  /// The softmax of the input times `beta`.
  private static func softmax(
    _ node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    let beta = Double(try node.options(9).number(0))
    guard beta.isFinite, beta != 0 else {
      throw .unknownSetting("beta", "\(beta)", known: ["a number other than 0"])
    }
    let scaled =
      beta == 1
      ? try node.input(0) : try graph.apply(.multiply, [node.input(0), .number(beta)])
    guard case .value(let value) = scaled else { throw .expectedValue(0, node.operation) }
    return try graph.softmax(value, isLogarithm: false)
  }

  /// The lower bound of the norm in a division.
  private static let smallestLength = 1e-6

  /// L2 normalisation along the last axis.
  private static func normalized(
    _ value: GraphValue, _ node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    _ = try value.sampleAxis(-1)
    let result = try graph.draft(
      UnitNormalization(smallestNorm: smallestLength), [value], batch: value.batch)
    return try node.activated(.value(result), by: node.options(12).choice(0), &graph)
  }
}
