import ModelIR
import Operators

/// e^x over the sum of all e^x, over the channels of each pixel or the values of a vector.
public struct Softmax: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `softmax`.
  public var kind: String { "softmax" }
  /// `Activation`.
  public var operation: any Operator { Operators.Activation(.softmax(axis: -1)) }

  /// A softmax.
  public init(name: String? = nil) {
    self.name = name
  }
}
