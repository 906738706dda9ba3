import ModelIR

/// Functions of each value, arithmetic and comparisons.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/elementwise_unary.py and elementwise_binary.py.
enum CoreMLArithmetic: CoreMLOperationKind {
  private static let unary = [
    "abs": "Abs", "acos": "Acos", "asin": "Asin", "atan": "Atan", "atanh": "Atanh", "ceil": "Ceil",
    "cos": "Cos", "cosh": "Cosh", "erf": "Erf", "exp": "Exp", "floor": "Floor",
    "identity": "Identity",
    "logical_not": "Not", "round": "Round", "sign": "Sign", "sin": "Sin", "sinh": "Sinh",
    "sqrt": "Sqrt", "tan": "Tan",
  ]
  private static let binary = [
    "add": "Add", "equal": "Equal", "greater": "Greater", "greater_equal": "GreaterOrEqual",
    "less": "Less", "less_equal": "LessOrEqual", "logical_and": "And", "logical_or": "Or",
    "logical_xor": "Xor", "maximum": "Max", "minimum": "Min", "mod": "Mod", "mul": "Mul",
    "pow": "Pow",
    "real_div": "Div", "sub": "Sub",
  ]

  private static let plain = unary.mapValues { CoreMLPlainForm($0, "x") }
    .merging(binary.mapValues { CoreMLPlainForm($0, "x", "y") }) { first, _ in first }
    .merging([
      "select": CoreMLPlainForm("Where", "cond", "a", "b"),
      "square": CoreMLPlainForm("Mul", "x", "x"),
    ]) { first, _ in first }

  static let names: [String] =
    [
      "cast", "clip", "exp2", "floor_div", "inverse", "log", "not_equal", "rsqrt", "threshold",
    ] + plain.keys

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "cast": try cast(operation, &nodes)
    case "clip": try clip(operation, &nodes)
    case "exp2": try exp2(operation, &nodes)
    case "floor_div": try floorDivide(operation, &nodes)
    case "inverse": try inverse(operation, &nodes)
    case "log": try logarithm(operation, &nodes)
    case "not_equal": try notEqual(operation, &nodes)
    case "rsqrt": try inverseRoot(operation, &nodes)
    case "threshold": try threshold(operation, &nodes)
    default: try plain[operation.type]?.write(operation, to: &nodes)
    }
  }

  /// Conversions between float16 and float32 have no effect on values that are computed as float32.
  private static func cast(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    let name = try operation.text("dtype", "fp32")
    let isFloat = nodes.type(of: x)?.isFloat ?? false
    let types = ["fp16": 1, "fp32": 1, "bool": 9, "int32": 6, "int64": 7]
    guard let type = types[name] else { throw .unreadType(name) }
    if isFloat, type == 1 {
      nodes.node("Identity", [x], to: [operation.output])
    } else {
      nodes.node("Cast", [x], ["to": .integer(type)], to: [operation.output])
    }
  }

  private static func clip(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let low = nodes.float(try operation.number("alpha", 0))
    let high = nodes.float(try operation.number("beta", 0))
    nodes.node("Clip", [try operation.input("x"), low, high], to: [operation.output])
  }

  private static func threshold(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let least = nodes.float(try operation.number("alpha", 0))
    nodes.node("Max", [try operation.input("x"), least], to: [operation.output])
  }

  private static func exp2(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node("Pow", [nodes.float(2), try operation.input("x")], to: [operation.output])
  }

  private static func floorDivide(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let quotient = nodes.node("Div", [try operation.input("x"), try operation.input("y")])
    nodes.node("Floor", [quotient], to: [operation.output])
  }

  private static func notEqual(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let equal = nodes.node("Equal", [try operation.input("x"), try operation.input("y")])
    nodes.node("Not", [equal], to: [operation.output])
  }

  /// Adds the epsilon of an operation to its input; by default it is one that changes results.
  private static func withEpsilon(
    _ operation: MappedCoreMLOperation, _ fallback: Double, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) -> String {
    let epsilon = try operation.number("epsilon", fallback)
    let x = try operation.input("x")
    return epsilon == 0 ? x : nodes.node("Add", [x, nodes.float(epsilon)])
  }

  private static func inverse(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try withEpsilon(operation, 1e-4, &nodes)
    nodes.node("Reciprocal", [x], to: [operation.output])
  }

  private static func logarithm(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try withEpsilon(operation, 1e-45, &nodes)
    nodes.node("Log", [x], to: [operation.output])
  }

  private static func inverseRoot(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let root = nodes.node("Sqrt", [try withEpsilon(operation, 1e-12, &nodes)])
    nodes.node("Reciprocal", [root], to: [operation.output])
  }
}
