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
  static let folded = ["Cast", "LogicalNot"]
  static let refused = [
    "Cast to another type than float", "LogicalNot of what follows from samples",
    "Switch and Merge by a flag that is not settled",
  ]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    switch node.operation {
    case "Placeholder", "PlaceholderV2": return [try fed(node, &graph)]
    case "IdentityN": return node.inputs
    case "Switch", "RefSwitch":
      let input = try node.input(0)
      // Only one of the two arrives, and what reads the other is never reached.
      return [input, input]
    case "Cast":
      let input = try node.input(0)
      switch input {
      case .constant(let constant):
        return [.constant(try constant.cast(to: node.type("DstT")?.element ?? constant.type))]
      case .value where node.isTruncation: return [try graph.apply(.truncate, [input])]
      default: return [input]
      }
    case "LogicalNot":
      // Of a flag that is fed it is one too; a truth value of each sample would be another.
      switch try node.input(0) {
      case .fed: return node.inputs
      case .constant: return [try graph.apply(.not, node.inputs)]
      default: throw .unknownOperation(node.operation)
      }
    default: return [try node.input(0)]
    }
  }

  /// A number that is fed; an input of the model is none of these.
  private static func fed(
    _ node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    if node.type("dtype") == .bool { graph.note(.flag) }
    return .fed(node.name)
  }
}

extension MappedNode {
  /// Whether it makes integers of real numbers.
  fileprivate var isTruncation: Bool {
    type("DstT")?.element?.isInteger ?? false && !(type("SrcT")?.element?.isInteger ?? false)
  }
}
