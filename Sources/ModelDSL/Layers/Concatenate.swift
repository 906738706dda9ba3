import ModelIR
import Operators

/// The concatenation of two or more nodes along their channels; the nodes may be concatenations as well.
public struct Concatenate: NodeSource {
  /// The resulting node.
  public let node: Node

  /// Creates a concatenation of `nodes`.
  ///
  /// - Parameters:
  ///   - nodes: nodes with the same sizes, except along the axis.
  ///   - axis: the axis, not counting the batch; negative values count from the end.
  ///   - name: the layer's name.
  public init(_ nodes: [any NodeSource], axis: Int = -1, name: String? = nil) {
    node = MergeLayer(
      name: name, kind: "concat", operation: Operators.Concatenate(axis: axis)
    ).applied(to: nodes)
  }
}

/// A layer that combines several nodes into one.
struct MergeLayer: NetworkLayer {
  let name: String?
  let kind: String
  let operation: any Operator
}
