import ModelIR

/// An operator composed of two others.
///
/// If values between layers are stored, so is the value between the halves.
package protocol CompositeOperator: Operator {
  /// The two halves, in execution order.
  var halves: (OperatorHalf, OperatorHalf) { get }
}

/// One half of a ``CompositeOperator``.
package struct OperatorHalf: Sendable {
  /// The operator of the half.
  package let operation: any Operator
  /// The composite operator's parameter roles by the half's roles.
  package let roles: [ParameterRole: ParameterRole]

  /// Selects the half's parameters, keyed by the half's roles.
  package func parameters<Value>(of whole: [ParameterRole: Value]) -> [ParameterRole: Value] {
    roles.compactMapValues { whole[$0] }
  }
}
