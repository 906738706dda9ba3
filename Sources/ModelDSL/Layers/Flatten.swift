import ModelIR
import Operators

/// All axes merged into one, in the order H, W, C; ``Dense`` flattens its input itself.
public struct Flatten: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `flatten`.
  public var kind: String { "flatten" }
  /// The operator, `Flatten`.
  public var operation: any Operator { Operators.Flatten() }

  /// Creates a flatten.
  public init(name: String? = nil) {
    self.name = name
  }
}
