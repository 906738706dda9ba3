import ModelIR

/// An operator that does with each step of a sequence what another one does with a sample.
package protocol StepwiseOperator: Operator {
  /// What is done with a step.
  var operation: any Operator { get }
}

extension TimeDistributed: StepwiseOperator {}
