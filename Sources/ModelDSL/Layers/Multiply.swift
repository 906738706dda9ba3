import ModelIR
import Operators

/// The element-wise product of two or more nodes.
public struct Multiply: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates the product of `nodes`, which must have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "multiply", operation: Operators.Multiply())
      .applied(to: nodes)
  }
}
