import ModelIR

/// Checks operations on integers, whose results can differ from real arithmetic.
enum IntegerArithmetic {
  /// Operations whose results may overflow a narrow type.
  private static let growing: Set = [
    "Add", "AddN", "AddV2", "Mul", "Neg", "Pow", "Prod", "Square", "SquaredDifference", "Sub",
    "Sum",
  ]

  /// Checks that an operation on the model's inputs computes the same as with real numbers.
  ///
  /// - Throws: `badData` if it truncates fractions, or may overflow.
  static func check(_ node: MappedNode) throws(NetconvError) {
    guard node.inputs.contains(where: { if case .value = $0 { true } else { false } }) else {
      return
    }
    if node.operation == "Cast" {
      guard let from = node.type("SrcT")?.element, let to = node.type("DstT")?.element else {
        return
      }
      return try from.checkCast(to: to)
    }
    guard let type = node.type("T")?.element, type.isInteger else { return }
    switch node.operation {
    case "Div", "RealDiv", "Mean": throw .dividesWholeNumbers(type.name)
    case let operation where growing.contains(operation) && type.isNarrow:
      throw .wrapsAround(type.name)
    default: return
    }
  }
}
