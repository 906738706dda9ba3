import ModelIR
import Operators

/// The element-wise maximum of two or more nodes.
public struct Maximum: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates the maximum of `nodes`, which must have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "maximum", operation: Operators.Maximum())
      .applied(to: nodes)
  }
}
