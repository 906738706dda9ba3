import ModelIR
import Operators

/// The sum of two or more nodes, as in a residual connection.
public struct Add: NodeSource {
  /// The result.
  public let node: Node

  /// The sum of `nodes`, which have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "add", operation: Operators.Add()).applied(to: nodes)
  }
}
