import ModelIR

/// Operations on integers whose results differ from those of the real numbers of a model.
enum IntegerArithmetic {
  /// Operations whose results may not fit into a type of a few bits.
  private static let growing: Set = [
    "Add", "AddN", "AddV2", "Mul", "Neg", "Pow", "Prod", "Square", "SquaredDifference", "Sub",
    "Sum",
  ]

  /// Checks that an operation computes with what is fed as real numbers do.
  ///
  /// - Throws: `badData` if it cuts off fractions, or may wrap around.
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
