import ModelIR
import Operators

/// The values in another shape, in the order in which they lie.
public struct Reshape: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `reshape`.
  public var kind: String { "reshape" }
  /// `Reshape`.
  public let operation: any Operator

  /// Values of `shape`, without the batch; one of its sizes may be -1, which stands for what is left.
  public init(shape: [Int], name: String? = nil) {
    operation = Operators.Reshape(shape: shape)
    self.name = name
  }
}
