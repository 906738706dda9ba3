import ModelIR

/// Arithmetic of two or more values.
enum MILArithmetic: MILTranslation {
  private static let same = [
    "Add": "add", "Sub": "sub", "Mul": "mul", "Div": "real_div", "Pow": "pow", "Max": "maximum",
    "Min": "minimum", "Sum": "add",
  ]

  static let operations: [String: String] = same.mapValues { "`\($0)`" }.merging([
    "Mean": "`add`, `mul`", "Mod": "`sign`, `abs`, `mod`",
  ]) { first, _ in first }

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    if node.type == "Mod" { return [try remainder(node, &program)] }
    let (type, isMean) = (same[node.type] ?? "add", node.type == "Mean")
    var sum = try node.input(0)
    for index in node.inputs.indices.dropFirst() {
      let other = try node.input(index)
      if index == node.inputs.count - 1, !isMean {
        sum = try program.combine(type, sum, other)
      } else {
        let before = sum
        sum = try program.step { program throws(NetconvError) in
          try program.combine(type, before, other)
        }
      }
    }
    guard isMean else { return [sum] }
    return [try program.combine("mul", sum, program.float(1 / Double(node.inputs.count)))]
  }

  /// Computes a remainder with the sign of the dividend; that of `mod` has the sign of the divisor.
  private static func remainder(
    _ node: MILNode, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let (x, y) = (try node.input(0), try node.input(1))
    let rest = try program.step { program throws(NetconvError) in
      try program.combine("mod", program.map("abs", x), program.map("abs", y))
    }
    let sign = try program.step { program throws(NetconvError) in try program.map("sign", x) }
    return try program.combine("mul", sign, rest)
  }
}
