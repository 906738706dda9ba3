import ModelIR
import Operators

/// The largest values of two or more nodes.
public struct Maximum: NodeSource {
  /// The result.
  public let node: Node

  /// The largest values of `nodes`, which have the same shape.
  public init(_ nodes: [any NodeSource], name: String? = nil) {
    node = MergeLayer(name: name, kind: "maximum", operation: Operators.Maximum())
      .applied(to: nodes)
  }
}
