import ModelIR
import Operators

/// The element-wise difference of two nodes.
public struct Subtract: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates the difference of the first and the second of `nodes`, which must have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "subtract", operation: Operators.Subtract())
      .applied(to: nodes)
  }
}
