import ModelIR

/// Functions of one value.
enum MILFunctions: MILTranslation {
  /// The operations that have the same function.
  private static let same = [
    "Abs": "abs", "Acos": "acos", "Asin": "asin", "Atan": "atan", "Atanh": "atanh", "Ceil": "ceil",
    "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Exp": "exp", "Floor": "floor", "Round": "round",
    "Sign": "sign", "Sin": "sin", "Sinh": "sinh", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh",
    "Relu": "relu", "Sigmoid": "sigmoid", "Softplus": "softplus", "Softsign": "softsign",
    "Not": "logical_not",
  ]

  static let operations: [String: String] = same.mapValues { "`\($0)`" }.merging([
    "Acosh": "`log`, `sqrt`", "Asinh": "`log`, `sqrt`", "Cast": "`cast`, `not_equal`",
    "Identity": "", "Log": "`log`", "Neg": "`mul`", "Reciprocal": "`real_div`",
  ]) { first, _ in first }

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    if let name = same[node.type] { return [try program.map(name, x)] }
    let result: MILValue
    switch node.type {
    case "Acosh":
      let factors = [-1.0, 1.0].map { program.float($0) }
      let first = try program.root(of: program.combine("add", x, factors[0]))
      let second = try program.root(of: program.combine("add", x, factors[1]))
      result = try program.logarithm(
        of: program.combine("add", x, program.combine("mul", first, second)))
    case "Asinh":
      let absolute = try program.map("abs", x)
      let square = try program.combine("mul", x, x)
      let root = try program.root(of: program.combine("add", square, program.float(1.0)))
      let positive = try program.logarithm(of: program.combine("add", absolute, root))
      result = try program.combine("mul", program.map("sign", x), positive)
    case "Cast": result = try cast(x, to: node.int("to", 1), &program)
    case "Identity": result = x
    case "Log": result = try program.logarithm(of: x)
    case "Neg": result = try program.combine("mul", x, program.float(-1.0))
    case "Reciprocal": result = try program.combine("real_div", program.float(1.0), x)
    default: throw .notInCoreML(node.type)
    }
    return [result]
  }

  /// Converts a value to the type of this number in ONNX: float32, a truth value or an integer.
  private static func cast(
    _ x: MILValue, to type: Int, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    switch (type, x.type.data) {
    case (1, .float32), (9, .bool), (6, .int32), (7, .int32): return x
    case (9, .float32):
      return try program.combine("not_equal", x, program.float(0.0), data: .bool)
    case (1, _): return try program.cast(x, to: .float32)
    case (6, _), (7, _): return try program.cast(x, to: .int32)
    default: throw .notInCoreML("a cast to type \(type)")
    }
  }
}

extension MILBuilder {
  /// Converts a value to another element type; a parameter that is stored as float16 is widened by its own constant.
  mutating func cast(_ x: MILValue, to data: MILDataType) throws(NetconvError) -> MILValue {
    if x.isKnown, data == .float32, case .tensor = x.contents { return x }
    let name = data == .int32 ? "int32" : "fp32"
    return try add(
      "cast", [("x", .value(x)), ("dtype", .string(name))], shape: x.shape, data: data)
  }

  /// Adds a square root.
  mutating func root(of x: MILValue) throws(NetconvError) -> MILValue { try map("sqrt", x) }

  /// Adds a logarithm; the operation adds an epsilon, which would be a small one by default.
  mutating func logarithm(of x: MILValue) throws(NetconvError) -> MILValue {
    try map("log", x, [("epsilon", .float(0))])
  }
}
