import ModelIR
import Operators

/// Functions of one value.
///
/// What is no activation by itself can be a part of one that is spelled out in several operations.
///
/// Source: tensorflow/core/ops/nn_ops.cc and math_ops.cc.
enum GraphActivation: GraphOperation {
  static let names = Array(functions.keys) + partial + ["LeakyRelu", "LogSoftmax", "Softmax"]
  static let operators: [any Operator.Type] = [Activation.self]
  static let refused = [
    "Abs, Ceil, Erf, Erfc, Expm1, Floor, Inv, Log, Log1p, Pow, Reciprocal, Rsqrt, Sign, Sqrt and comparisons alone"
  ]

  private static let functions: [String: ActivationFunction] = [
    "Elu": .elu(alpha: 1), "Exp": .exponential, "Relu": .relu, "Relu6": .relu6, "Selu": .selu,
    "Sigmoid": .sigmoid, "Softplus": .softplus, "Softsign": .softsign, "Tanh": .tanh,
  ]

  private static let partial = [
    "Abs", "Ceil", "Erf", "Erfc", "Expm1", "Floor", "Inv", "Log", "Log1p", "Reciprocal", "Rsqrt",
    "Sign", "Sqrt",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    let input = try node.value(0)
    switch node.operation {
    case "Softmax", "LogSoftmax":
      guard input.shape.rank - input.merged > 0 else { throw .batchAxis }
      let isLog = node.operation == "LogSoftmax"
      let last = input.shape.rank - 1
      let function = { @Sendable (axis: Int) -> any Operator in
        let axes = AxisList([axis])
        return Activation(isLog ? .logSoftmax(axis: axes) : .softmax(axis: axes))
      }
      return [
        .value(
          try graph.draft(
            function(-1), [input],
            axes: .counted(moved: { rank in function(movedAxis(last, rank: rank)) }),
            merged: input.merged))
      ]
    case "LeakyRelu":
      // What is written in the file is the nearest Float.
      let slope = node.number("alpha", default: Double(Float(0.2)))
      return [
        .value(
          try graph.apply(
            .leakyReLU(negativeSlope: slope), to: input, as: "LeakyRelu", setting: slope))
      ]
    case let name:
      if let function = functions[name] {
        return [.value(try graph.apply(function, to: input, as: name))]
      }
      return [
        .value(
          graph.draft(
            GraphExpression(operation: name, operands: [.value(input.draft)]), shape: input.shape,
            merged: input.merged, problem: .noLayer(name)))
      ]
    }
  }
}

/// An axis of an array, when the first axis of it has become the last.
func movedAxis(_ axis: Int, rank: Int) -> Int { axis == 0 ? rank - 1 : axis - 1 }

extension GraphMapper {
  /// Drafts an activation, which can also be a part of another.
  mutating func apply(
    _ function: ActivationFunction, to input: GraphValue, as name: String, setting: Double = 0
  ) throws(NetconvError) -> GraphValue {
    try draft(
      Activation(function), [input], axes: .counted(moved: { _ in Activation(function) }),
      merged: input.merged,
      expression: GraphExpression(
        operation: name, operands: [.value(input.draft)], setting: setting))
  }
}
