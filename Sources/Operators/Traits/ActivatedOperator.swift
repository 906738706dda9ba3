import ModelIR

/// An operator that applies an activation function to its result.
public protocol ActivatedOperator: Operator {
  /// The activation function, applied last.
  var activation: ActivationFunction { get set }
}

extension Operator {
  /// The activation function, if the operator does nothing else.
  package var onlyActivation: ActivationFunction? { (self as? Activation)?.function }
}
