import ModelIR
import Operators

/// Softmax over the channels of each pixel, or over the values of a vector.
public struct Softmax: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `softmax`.
  public var kind: String { "softmax" }
  /// The operator, `Activation`.
  public var operation: any Operator { Operators.Activation(.softmax(axis: -1)) }

  /// Creates a softmax.
  public init(name: String? = nil) {
    self.name = name
  }
}
