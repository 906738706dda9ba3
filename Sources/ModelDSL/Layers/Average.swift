import ModelIR
import Operators

/// The element-wise mean of two or more nodes.
public struct Average: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates the mean of `nodes`, which must have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "average", operation: Operators.Average())
      .applied(to: nodes)
  }
}
