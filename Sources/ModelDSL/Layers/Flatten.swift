import ModelIR
import Operators

/// All axes merged into one, in the order H, W, C; ``Dense`` does so by itself.
public struct Flatten: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `flatten`.
  public var kind: String { "flatten" }
  /// `Flatten`.
  public var operation: any Operator { Operators.Flatten() }

  /// A flatten.
  public init(name: String? = nil) {
    self.name = name
  }
}
