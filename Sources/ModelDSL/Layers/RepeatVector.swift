import ModelIR
import Operators

/// Repetitions of a vector as a sequence.
public struct RepeatVector: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `repeat`.
  public var kind: String { "repeat" }
  /// The operator, `RepeatVector`.
  public let operation: any Operator

  /// Creates a sequence of `count` equal steps.
  public init(count: Int, name: String? = nil) {
    operation = Operators.RepeatVector(count: count)
    self.name = name
  }
}
