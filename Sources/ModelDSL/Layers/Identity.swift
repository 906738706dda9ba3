import ModelIR
import Operators

/// The identity, for layers that are active only during training.
public struct Identity: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `identity`.
  public var kind: String { "identity" }
  /// The operator, `Identity`.
  public var operation: any Operator { Operators.Identity() }

  /// Creates a layer that does nothing.
  public init(name: String? = nil) {
    self.name = name
  }
}
