import ModelIR
import Operators

/// The product of two or more nodes, value by value.
public struct Multiply: NodeSource {
  /// The result.
  public let node: Node

  /// The product of `nodes`, which have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "multiply", operation: Operators.Multiply())
      .applied(to: nodes)
  }
}
