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
    var result = try node.input(0)
    for index in node.inputs.indices.dropFirst() {
      result = try program.combine(same[node.type] ?? "add", result, node.input(index))
    }
    guard node.type == "Mean" else { return [result] }
    return [try program.combine("mul", result, program.float(1 / Double(node.inputs.count)))]
  }

  /// Computes a remainder with the sign of the dividend; that of `mod` has the sign of the divisor.
  private static func remainder(
    _ node: MILNode, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let (x, y) = (try node.input(0), try node.input(1))
    let rest = try program.combine("mod", program.map("abs", x), program.map("abs", y))
    return try program.combine("mul", program.map("sign", x), rest)
  }
}
