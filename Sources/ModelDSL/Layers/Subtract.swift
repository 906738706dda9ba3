import ModelIR
import Operators

/// The difference of two nodes, value by value.
public struct Subtract: NodeSource {
  /// The result.
  public let node: Node

  /// The first of `nodes` less the second; both have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "subtract", operation: Operators.Subtract())
      .applied(to: nodes)
  }
}
