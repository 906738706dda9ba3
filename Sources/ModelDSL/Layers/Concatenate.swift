import ModelIR
import Operators

/// Two or more nodes laid end to end along their channels; one of them may be a concatenation itself.
public struct Concatenate: NodeSource {
  /// The result.
  public let node: Node

  /// A concatenation of `nodes`.
  ///
  /// - Parameters:
  ///   - nodes: of the same sizes, but for the axis.
  ///   - axis: counted without the batch; negative from the end.
  ///   - name: what it is called.
  public init(_ nodes: [any NodeSource], axis: Int = -1, name: String? = nil) {
    node = MergeLayer(
      name: name, kind: "concat", operation: Operators.Concatenate(axis: axis)
    ).applied(to: nodes)
  }
}

/// A layer that makes one node of several.
struct MergeLayer: NetworkLayer {
  let name: String?
  let kind: String
  let operation: any Operator
}
