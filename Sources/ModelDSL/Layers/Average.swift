import ModelIR
import Operators

/// The mean of two or more nodes, value by value.
public struct Average: NodeSource {
  /// The result.
  public let node: Node

  /// The mean of `nodes`, which have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "average", operation: Operators.Average())
      .applied(to: nodes)
  }
}
