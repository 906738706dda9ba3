import ModelIR

/// A recurrent operator with gates.
package protocol GatedOperator: RecurrentOperator {
  /// Applied to the gates.
  var recurrentActivation: ActivationFunction { get set }
}

/// A recurrent operator with a gate that forgets the state for the new value.
package protocol ResettingOperator: GatedOperator {
  /// Whether the reset gate is applied behind the recurrent kernel.
  var resetsAfter: Bool { get set }
}
