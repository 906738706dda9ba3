import ModelIR
import Operators

/// The steps of a sequence, or the rows of an image, in reversed order.
public struct Reverse: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `reverse`.
  public var kind: String { "reverse" }
  /// `Reverse`.
  public var operation: any Operator { Operators.Reverse() }

  /// The last in the place of the first.
  public init(name: String? = nil) {
    self.name = name
  }
}
