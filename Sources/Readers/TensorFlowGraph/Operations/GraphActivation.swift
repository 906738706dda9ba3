import ModelIR
import Operators

/// Functions of one value.
///
/// What is no activation by itself can be a part of one that is spelled out in several operations.
///
/// Source: tensorflow/core/ops/nn_ops.cc and math_ops.cc.
enum GraphActivation: GraphOperation {
  static let names = Array(functions.keys) + ["LeakyRelu", "LogSoftmax", "Softmax"]
  static let operators: [any Operator.Type] = [Activation.self]
  static let folded = Array(functions.keys) + ["LeakyRelu"]
  static let refused = [
    "Abs, Ceil, Erf, Erfc, Expm1, Floor, Inv, Log, Log1p, Pow, Reciprocal, Round, Rsqrt, Sign, Sqrt and comparisons alone"
  ]

  private static let functions: [String: PointFunction] = [
    "Abs": .absolute, "Ceil": .ceiling, "Elu": .elu(alpha: 1), "Erf": .errorFunction,
    "Erfc": .complementaryErrorFunction, "Exp": .exponential, "Expm1": .exponentialMinusOne,
    "Floor": .floor, "Inv": .reciprocal, "Log": .logarithm, "Log1p": .logarithmOfOnePlus,
    "Reciprocal": .reciprocal, "Relu": .relu, "Relu6": .relu6, "Round": .round,
    "Rsqrt": .reciprocalSquareRoot, "Selu": .selu, "Sigmoid": .sigmoid, "Sign": .sign,
    "Softplus": .softplus, "Softsign": .softsign, "Sqrt": .squareRoot, "Tanh": .tanh,
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Softmax", "LogSoftmax":
      return [
        .value(
          try graph.softmax(node.value(0), isLogarithm: node.operation == "LogSoftmax"))
      ]
    case "LeakyRelu":
      // The file has the nearest Float.
      let slope = node.number("alpha", default: Double(Float(0.2)))
      return [try graph.apply(.leakyReLU(slope: slope), node.inputs)]
    default:
      guard let function = functions[node.operation] else {
        throw .unknownOperation(node.operation)
      }
      return [try graph.apply(function, node.inputs)]
    }
  }
}
