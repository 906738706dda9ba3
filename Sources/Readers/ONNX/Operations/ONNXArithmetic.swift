import ModelIR
import Operators

/// Elementwise arithmetic: sums, products, comparisons and selections.
///
/// Source: onnx/docs/Operators.md; opset 6 for `broadcast` and `axis`.
enum ONNXArithmetic: ONNXOperation {
  static let names = Array(functions.keys) + ["Clip", "Max", "Mean", "Min", "Mod", "Sum"]
  static let operators: [any Operator.Type] = [
    Add.self, Subtract.self, Multiply.self, Divide.self, Maximum.self, Minimum.self,
    Elementwise.self, Pairwise.self, Where.self, Rescaling.self, Scale.self,
    BatchNormalization.self, Constant.self,
  ]
  static let refused = ["constants for the samples of a batch"]

  private static let functions: [String: PointFunction] = [
    "Abs": .elementwise(.absolute), "Acos": .elementwise(.arcCosine),
    "Acosh": .elementwise(.inverseHyperbolicCosine), "Add": .add, "And": .and,
    "Asin": .elementwise(.arcSine), "Asinh": .elementwise(.inverseHyperbolicSine),
    "Atan": .elementwise(.arcTangent), "Atanh": .elementwise(.inverseHyperbolicTangent),
    "Ceil": .ceiling,
    "Cos": .elementwise(.cosine), "Cosh": .elementwise(.hyperbolicCosine), "Div": .divide,
    "Equal": .equal, "Erf": .elementwise(.errorFunction), "Exp": .exponential, "Floor": .floor,
    "Greater": .greater, "GreaterOrEqual": .greaterOrEqual, "Less": .less,
    "LessOrEqual": .lessOrEqual, "Log": .elementwise(.logarithm), "Mul": .multiply,
    "Neg": .negative,
    "Not": .not, "Or": .or, "Pow": .power, "Reciprocal": .elementwise(.reciprocal), "Round": .round,
    "Sign": .sign, "Sin": .elementwise(.sine), "Sinh": .elementwise(.hyperbolicSine),
    "Sqrt": .elementwise(.squareRoot), "Sub": .subtract, "Tan": .elementwise(.tangent),
    "Where": .select, "Xor": .notEqual,
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let operands = node.operands
    switch node.operation {
    case "Clip": return [try clip(node, &graph)]
    case "Div" where node.types.first??.isInteger ?? false && operands.constants == nil:
      return [try quotient(operands, &graph)]
    case "Mod":
      return [try graph.apply(node.flag("fmod") ? .remainder : .floorModulo, operands)]
    case "Max", "Min", "Sum", "Mean":
      guard var result = operands.first else { throw .missingOperand(0, node.operation) }
      let function: PointFunction =
        node.operation == "Max" ? .maximum : node.operation == "Min" ? .minimum : .add
      for other in operands.dropFirst() { result = try graph.apply(function, [result, other]) }
      guard node.operation == "Mean", operands.count > 1 else { return [result] }
      return [try graph.apply(.multiply, [result, .number(1 / Double(operands.count))])]
    default:
      guard let function = functions[node.operation] else {
        throw .unknownOperation(node.operation)
      }
      return [try graph.apply(function, try broadcast(operands, node))]
    }
  }

  /// The quotient of integers, truncated towards 0.
  private static func quotient(
    _ operands: [GraphResult], _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    guard operands.count == 2 else { throw .missingOperand(1, graph.operation) }
    let sizes = try operands.map { operand throws(NetconvError) in
      try graph.apply(.elementwise(.absolute), [operand])
    }
    let signs = try operands.map { operand throws(NetconvError) in
      try graph.apply(.sign, [operand])
    }
    return try graph.apply(
      .multiply, [graph.apply(.floorDivide, sizes), graph.apply(.multiply, signs)])
  }

  /// Aligns the second operand with an axis of the first, as in operator sets before 7.
  private static func broadcast(
    _ operands: [GraphResult], _ node: MappedONNXNode
  ) throws(NetconvError) -> [GraphResult] {
    guard node.opset < 7, operands.count == 2, node.flag("broadcast"),
      let axis = node.integer("axis"), case .constant(let second) = operands[1]
    else { return operands }
    let rank = try node.rank(of: operands[0])
    let missing = rank - (try resolvedAxis(axis, rank: rank)) - second.shape.count
    guard missing >= 0 else { throw .shapesDiffer(second.shape, [axis]) }
    return [
      operands[0],
      .constant(try second.reshaped(second.shape + [Int](repeating: 1, count: missing))),
    ]
  }

  /// Clamps values between two limits, either of which may be omitted.
  private static func clip(
    _ node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    var result = try node.input(0)
    let largest = Double(Float.greatestFiniteMagnitude)
    for (index, function) in [(1, PointFunction.maximum), (2, .minimum)] {
      let key = index == 1 ? "min" : "max"
      var limit: Double?
      if node.opset < 11 {
        if case .number(let number) = node.node.attributes[key] { limit = Double(number) }
      } else if let constant = try node.optionalConstant(index) {
        limit = try constant.scalar()
        guard limit != nil else { throw .wrongRankOfConstant(constant.shape, expected: 0) }
      }
      guard let limit, abs(limit) < largest else { continue }
      result = try graph.apply(function, [result, .number(limit)])
    }
    return result
  }
}

extension GraphResult {
  /// A number as a constant.
  static func number(_ number: Double) -> GraphResult {
    .constant(GraphConstant([number], shape: [], type: .float32, path: "\(number)"))
  }
}
