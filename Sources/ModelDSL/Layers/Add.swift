import ModelIR
import Operators

/// The sum of two or more nodes, as in a residual connection.
public struct Add: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates the sum of `nodes`, which must have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "add", operation: Operators.Add()).applied(to: nodes)
  }
}
