import ModelIR
import Operators

/// The values as they are: what is left of layers that only act in training.
public struct Identity: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `identity`.
  public var kind: String { "identity" }
  /// `Identity`.
  public var operation: any Operator { Operators.Identity() }

  /// A layer that does nothing.
  public init(name: String? = nil) {
    self.name = name
  }
}
