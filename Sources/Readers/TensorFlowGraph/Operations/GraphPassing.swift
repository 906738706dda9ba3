import ModelIR

/// Operations that give what they are given.
///
/// Source: tensorflow/core/ops/array_ops.cc.
enum GraphPassing: GraphOperation {
  static let names = [
    "Cast", "CheckNumerics", "EnsureShape", "Identity", "IdentityN",
    "PlaceholderWithDefault", "PlaceholderV2", "Placeholder", "PreventGradient", "ReadVariableOp",
    "Snapshot", "StopGradient", "Switch", "RefSwitch", "LogicalNot",
  ]
  static let refused = [
    "Cast to another type than float", "LogicalNot of what follows from samples",
    "Switch and Merge by a flag that is not settled",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Placeholder", "PlaceholderV2": return [try fed(node, &graph)]
    case "IdentityN": return node.inputs
    case "Switch", "RefSwitch":
      guard let input = node.inputs.first else { throw .missingOperand(0, node.operation) }
      // Only one of the two arrives, and what reads the other is never reached.
      return [input, input]
    case "Cast":
      guard let input = node.inputs.first else { throw .missingOperand(0, node.operation) }
      if case .value(let value) = input, node.type("DstT")?.isInteger ?? false,
        !(node.type("SrcT")?.isInteger ?? false)
      {
        // An embedding cuts fractions off by itself.
        return [
          .value(
            graph.draft(
              GraphExpression(operation: "Cast", operands: [.value(value.draft)]),
              shape: value.shape, merged: value.merged, problem: .castsToIntegers))
        ]
      }
      return [input]
    case "LogicalNot":
      // Of a flag that is fed it is one too; a truth value of each sample would be another.
      guard case .fed? = node.inputs.first else { throw .unknownOperation(node.operation) }
      return node.inputs
    default:
      guard let input = node.inputs.first else { throw .missingOperand(0, node.operation) }
      return [input]
    }
  }

  /// A number that is fed; an input of the model is none of these.
  private static func fed(
    _ node: MappedNode, _ graph: inout GraphMapper
  ) throws(NetconvError) -> GraphResult {
    if node.type("dtype") == .bool { graph.note(.flag) }
    return .fed(node.name)
  }
}
