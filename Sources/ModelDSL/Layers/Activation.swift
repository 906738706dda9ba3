import ModelIR
import Operators

/// An activation function as a layer of its own.
public struct Activation: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `activation`.
  public var kind: String { "activation" }
  /// `Activation`.
  public let operation: any Operator

  /// A layer that applies `function`.
  public init(_ function: ActivationFunction, name: String? = nil) {
    operation = Operators.Activation(function)
    self.name = name
  }
}
