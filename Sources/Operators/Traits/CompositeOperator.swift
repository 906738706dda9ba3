import ModelIR

/// An operator that is two others, one behind the other.
///
/// Where values between layers are stored, so is the one between the halves.
package protocol CompositeOperator: Operator {
  /// The two, in the order in which they run.
  var halves: (OperatorHalf, OperatorHalf) { get }
}

/// One half of a ``CompositeOperator``.
package struct OperatorHalf: Sendable {
  /// What the half computes.
  package let operation: any Operator
  /// What the whole calls each parameter of the half, by what the half calls it.
  package let roles: [ParameterRole: ParameterRole]

  /// Those of the whole's parameters that are the half's, by the half's roles.
  package func parameters<Value>(of whole: [ParameterRole: Value]) -> [ParameterRole: Value] {
    roles.compactMapValues { whole[$0] }
  }
}
