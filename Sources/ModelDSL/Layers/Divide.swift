import ModelIR
import Operators

/// The quotient of two nodes, value by value.
public struct Divide: NodeSource {
  /// The result.
  public let node: Node

  /// The first of `nodes` divided by the second; both have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "divide", operation: Operators.Divide())
      .applied(to: nodes)
  }
}
