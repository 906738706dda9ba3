import ModelIR

/// An operator that applies another operator to each step of a sequence.
package protocol StepwiseOperator: Operator {
  /// The operator applied to a step.
  var operation: any Operator { get }
}

extension TimeDistributed: StepwiseOperator {}
