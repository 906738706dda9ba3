import ModelIR
import Operators

/// Operations that return their input.
///
/// Source: tensorflow/core/ops/array_ops.cc.
enum GraphPassing: GraphOperation {
  static let names = [
    "Cast", "CheckNumerics", "EnsureShape", "Identity", "IdentityN",
    "PlaceholderWithDefault", "PlaceholderV2", "Placeholder", "PreventGradient", "ReadVariableOp",
    "Snapshot", "StopGradient", "Switch", "RefSwitch", "LogicalNot",
  ]
  static let operators: [any Operator.Type] = [Elementwise.self, Pairwise.self]
  static let folded = ["Cast", "LogicalNot"]
  static let refused = [
    "Cast of real numbers to integers of 8 or 16 bits",
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
      // Only one of the two outputs is live; the readers of the other are never reached.
      return [input, input]
    case "Cast":
      let input = try node.input(0)
      switch input {
      case .constant(let constant):
        return [.constant(try constant.cast(to: node.type("DstT")?.element ?? constant.type))]
      case .value(let value):
        guard let target = node.type("DstT")?.element, node.changes(to: target) else {
          return [input]
        }
        return [try graph.cast(value, to: target)]
      default: return [input]
      }
    case "LogicalNot":
      // The negation of a fed flag is also a fed flag.
      if case .fed = try node.input(0) { return node.inputs }
      return [try graph.apply(.not, node.inputs)]
    default: return [try node.input(0)]
    }
  }

  /// A scalar that is fed; inputs of the model are not scalars.
  private static func fed(
    _ node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    if node.type("dtype") == .bool { graph.note(.flag) }
    return .fed(node.name)
  }
}

extension MappedNode {
  /// True if a cast to integers or booleans changes values.
  fileprivate func changes(to target: GraphElement) -> Bool {
    let source = type("SrcT")?.element
    if target == .truth { return source != .truth }
    return target.isInteger && !(source?.isInteger ?? false)
  }
}
