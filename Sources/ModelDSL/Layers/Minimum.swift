import ModelIR
import Operators

/// The smallest values of two or more nodes.
public struct Minimum: NodeSource {
  /// The result.
  public let node: Node

  /// The smallest values of `nodes`, which have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "minimum", operation: Operators.Minimum())
      .applied(to: nodes)
  }
}
