import ModelIR
import Operators

/// The steps of a sequence, or the rows of an image, in reversed order.
public struct Reverse: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `reverse`.
  public var kind: String { "reverse" }
  /// The operator, `Reverse`.
  public var operation: any Operator { Operators.Reverse() }

  /// Creates a reversal.
  public init(name: String? = nil) {
    self.name = name
  }
}
