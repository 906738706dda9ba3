import ModelIR

/// An operator that applies a function to its result.
public protocol ActivatedOperator: Operator {
  /// Applied last.
  var activation: ActivationFunction { get set }
}

extension Operator {
  /// The function that the operator applies, if it does nothing else.
  package var onlyActivation: ActivationFunction? { (self as? Activation)?.function }
}
