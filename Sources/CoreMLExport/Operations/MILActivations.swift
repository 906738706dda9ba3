import ModelIR

/// Activation functions with parameters.
enum MILActivations: MILTranslation {
  static let operations = [
    "LeakyRelu": "`leaky_relu`", "Elu": "`elu`", "Celu": "`relu`, `exp`, `minimum`",
    "Selu": "`elu`, `mul`", "HardSigmoid": "`sigmoid_hard`", "HardSwish": "`sigmoid_hard`, `mul`",
    "Clip": "`clip`", "Shrink": "`select`", "PRelu": "`relu`, `minimum`, `mul`",
    "Softmax": "`softmax`", "LogSoftmax": "`reduce_max`, `sub`, `reduce_log_sum_exp`",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    let alpha = { (fallback: Float) -> (String, MILOperand?) in
      ("alpha", .float(node.float("alpha", fallback)))
    }
    let result: MILValue
    switch node.type {
    case "LeakyRelu": result = try program.map("leaky_relu", x, [alpha(0.01)])
    case "Elu": result = try program.map("elu", x, [alpha(1)])
    case "Celu": result = try celu(x, node.float("alpha", 1), &program)
    case "Selu": result = try selu(x, &program)
    case "HardSigmoid":
      result = try program.map(
        "sigmoid_hard", x, [alpha(0.2), ("beta", .float(node.float("beta", 0.5)))])
    case "HardSwish":
      let gate = try program.map(
        "sigmoid_hard", x, [("alpha", .float(1 / 6)), ("beta", .float(0.5))])
      result = try program.combine("mul", x, gate)
    case "Clip": result = try clip(x, node, &program)
    case "Shrink": result = try shrink(x, node, &program)
    case "PRelu": result = try parametric(x, node.input(1), &program)
    case "Softmax":
      result = try program.map("softmax", x, [("axis", .int(x.axis(node.int("axis", -1))))])
    case "LogSoftmax": result = try logSoftmax(x, x.axis(node.int("axis", -1)), &program)
    default: throw .notInCoreML(node.type)
    }
    return [result]
  }

  /// Computes alpha (exp(x / alpha) - 1) below 0.
  private static func celu(
    _ x: MILValue, _ alpha: Float, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let power = try program.map("exp", program.combine("real_div", x, program.float(alpha)))
    let below = try program.combine(
      "mul", program.combine("add", power, program.float(-1.0)), program.float(alpha))
    let negative = try program.combine("minimum", below, program.float(0.0))
    return try program.combine("add", program.map("relu", x), negative)
  }

  /// Source: onnx/docs/Operators.md, `Selu`: the defaults of alpha and gamma.
  private static func selu(
    _ x: MILValue, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let elu = try program.map("elu", x, [("alpha", .float(1.673_263_2))])
    return try program.combine("mul", elu, program.float(Float(1.050_701)))
  }

  private static func clip(
    _ x: MILValue, _ node: MILNode, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    guard let low = try node.input(1).float, let high = try node.input(2).float else {
      throw .openParameterForCoreML("clip")
    }
    return try program.map("clip", x, [("alpha", .float(low)), ("beta", .float(high))])
  }

  private static func shrink(
    _ x: MILValue, _ node: MILNode, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let (bias, limit) = (node.float("bias", 0), node.float("lambd", 0.5))
    let isAbove = try program.combine("greater", x, program.float(limit), data: .bool)
    let isBelow = try program.combine("less", x, program.float(-limit), data: .bool)
    let zeros = try program.combine("mul", x, program.float(0.0))
    let above = bias == 0 ? x : try program.combine("sub", x, program.float(bias))
    let below = bias == 0 ? x : try program.combine("add", x, program.float(bias))
    return try program.select(isAbove, above, program.select(isBelow, below, zeros))
  }

  /// `prelu` has one slope for each channel; this has one for each value.
  private static func parametric(
    _ x: MILValue, _ slopes: MILValue, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let negative = try program.combine("minimum", x, program.float(0.0))
    return try program.combine(
      "add", program.map("relu", x), program.combine("mul", negative, slopes))
  }

  private static func logSoftmax(
    _ x: MILValue, _ axis: Int, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let shifted = try program.combine(
      "sub", x, program.reduce("reduce_max", x, [axis], keeps: true))
    let sum = try program.reduce("reduce_log_sum_exp", shifted, [axis], keeps: true)
    return try program.combine("sub", shifted, sum)
  }
}
