import ModelIR
import Operators

/// The element-wise minimum of two or more nodes.
public struct Minimum: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates the minimum of `nodes`, which must have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "minimum", operation: Operators.Minimum())
      .applied(to: nodes)
  }
}
