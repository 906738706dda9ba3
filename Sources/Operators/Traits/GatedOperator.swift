import ModelIR

/// A recurrent operator with gates.
package protocol GatedOperator: RecurrentOperator {
  /// The activation function of the gates.
  var recurrentActivation: ActivationFunction { get set }
}

/// A gated recurrent operator with a reset gate.
package protocol ResettingOperator: GatedOperator {
  /// True if the reset gate is applied after the recurrent kernel.
  var resetsAfter: Bool { get set }
}
