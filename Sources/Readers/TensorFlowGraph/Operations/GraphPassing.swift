import ModelIR
import Operators

/// Operations that give what they are given.
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
      // Only one of the two arrives, and what reads the other is never reached.
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
      // Of a flag that is fed it is one too.
      if case .fed = try node.input(0) { return node.inputs }
      return [try graph.apply(.not, node.inputs)]
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
  /// Whether a cast to integers or truth values changes values.
  fileprivate func changes(to target: GraphElement) -> Bool {
    let source = type("SrcT")?.element
    if target == .truth { return source != .truth }
    return target.isInteger && !(source?.isInteger ?? false)
  }
}
