import ModelIR

/// An operator whose result depends on exact input values, so that a rounded input is a different input.
package protocol ExactInputOperator: Operator {}

extension Operator {
  /// True if the input must be exact: a slightly different input may have a very different result.
  package var needsExactInput: Bool { hasSteps || self is any ExactInputOperator }
}

extension Masking: ExactInputOperator {}

/// An operator whose inputs are indices from 0, such as token ids, rather than quantities.
package protocol IndexingOperator: ExactInputOperator {
  /// The size of the vocabulary.
  var count: Int { get }
}

extension Embedding: IndexingOperator {}

/// An operator that masks the steps in which all values equal a given one.
package protocol StepMarkingOperator: ExactInputOperator {
  /// The value that marks a masked step.
  var value: Double { get }
  /// True if each value is a step; otherwise a step extends along the last axis.
  var isPerValue: Bool { get }
}

extension StepMask: StepMarkingOperator {}
