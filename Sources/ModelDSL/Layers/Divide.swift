import ModelIR
import Operators

/// The element-wise quotient of two nodes.
public struct Divide: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates the quotient of the first and the second of `nodes`, which must have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "divide", operation: Operators.Divide())
      .applied(to: nodes)
  }
}
