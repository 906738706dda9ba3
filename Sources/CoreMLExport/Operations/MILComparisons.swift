import ModelIR

/// Comparisons, truth values and choices.
enum MILComparisons: MILTranslation {
  private static let same = [
    "Equal": "equal", "Greater": "greater", "GreaterOrEqual": "greater_equal", "Less": "less",
    "LessOrEqual": "less_equal", "And": "logical_and", "Or": "logical_or",
  ]

  static let operations: [String: String] = same.mapValues { "`\($0)`" }.merging([
    "Where": "`select`"
  ]) { first, _ in first }

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    if let name = same[node.type] {
      return [try program.combine(name, node.input(0), node.input(1), data: .bool)]
    }
    return [try program.select(node.input(0), node.input(1), node.input(2))]
  }
}

extension MILBuilder {
  /// Chooses between two values, of which one has the shape of the result.
  mutating func select(
    _ condition: MILValue, _ first: MILValue, _ second: MILValue
  ) throws(NetconvError) -> MILValue {
    var first = first
    let chosen = Self.broadcast(first.shape, second.shape)
    let shape = Self.broadcast(condition.shape, chosen)
    if shape != chosen {
      // The type of the result is that of both values alone.
      let zeros = try combine("mul", cast(condition, to: .float32), float(0.0))
      first = try combine("add", first, zeros)
    }
    return try add(
      "select", [("cond", .value(condition)), ("a", .value(first)), ("b", .value(second))],
      shape: shape)
  }
}
