import ModelIR
import Operators

/// A vector several times, as a sequence.
public struct RepeatVector: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `repeat`.
  public var kind: String { "repeat" }
  /// `RepeatVector`.
  public let operation: any Operator

  /// A sequence of `count` equal steps.
  public init(count: Int, name: String? = nil) {
    operation = Operators.RepeatVector(count: count)
    self.name = name
  }
}
