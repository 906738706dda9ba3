import ModelIR
import Operators

/// An activation function as a separate layer.
public struct Activation: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `activation`.
  public var kind: String { "activation" }
  /// The operator, `Activation`.
  public let operation: any Operator

  /// Creates a layer that applies `function`.
  public init(_ function: ActivationFunction, name: String? = nil) {
    operation = Operators.Activation(function)
    self.name = name
  }
}
