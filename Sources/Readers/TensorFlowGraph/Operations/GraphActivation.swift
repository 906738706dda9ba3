import ModelIR
import Operators

/// Elementwise functions of one value.
///
/// A function that is not an activation itself can be a part of one that is written as several operations.
///
/// Source: tensorflow/core/ops/nn_ops.cc and math_ops.cc.
enum GraphActivation: GraphOperation {
  static let names = Array(functions.keys) + ["LeakyRelu", "LogSoftmax", "Softmax"]
  static let operators: [any Operator.Type] = [Activation.self, Elementwise.self]
  static let folded = Array(functions.keys) + ["LeakyRelu"]

  private static let functions: [String: PointFunction] = [
    "Abs": .elementwise(.absolute), "Acos": .elementwise(.arcCosine),
    "Acosh": .elementwise(.inverseHyperbolicCosine), "Asin": .elementwise(.arcSine),
    "Asinh": .elementwise(.inverseHyperbolicSine), "Atan": .elementwise(.arcTangent),
    "Atanh": .elementwise(.inverseHyperbolicTangent), "Ceil": .ceiling,
    "Cos": .elementwise(.cosine), "Cosh": .elementwise(.hyperbolicCosine),
    "Elu": .elu(alpha: 1), "Erf": .elementwise(.errorFunction),
    "Erfc": .elementwise(.complementaryErrorFunction), "Exp": .exponential,
    "Expm1": .elementwise(.exponentialMinusOne), "Floor": .floor,
    "Inv": .elementwise(.reciprocal), "Log": .elementwise(.logarithm),
    "Log1p": .elementwise(.logarithmOfOnePlus), "Reciprocal": .elementwise(.reciprocal),
    "Relu": .relu, "Relu6": .relu6, "Rint": .round, "Round": .round,
    "Rsqrt": .elementwise(.reciprocalSquareRoot), "Selu": .selu, "Sigmoid": .sigmoid,
    "Sign": .sign, "Sin": .elementwise(.sine), "Sinh": .elementwise(.hyperbolicSine),
    "Softplus": .softplus, "Softsign": .softsign, "Sqrt": .elementwise(.squareRoot),
    "Tan": .elementwise(.tangent), "Tanh": .tanh,
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
      // The file stores the slope as a float32.
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
