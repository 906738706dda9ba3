import ModelIR
import Operators

/// The same values with another shape.
public struct Reshape: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `reshape`.
  public var kind: String { "reshape" }
  /// The operator, `Reshape`.
  public let operation: any Operator

  /// Creates a reshape to `shape`, without the batch; one size may be -1 and is inferred.
  public init(shape: [Int], name: String? = nil) {
    operation = Operators.Reshape(shape: shape)
    self.name = name
  }
}
