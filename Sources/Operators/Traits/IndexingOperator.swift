import ModelIR

/// An operator that asks which number a value is: a rounding of its input is another value to it.
package protocol ExactInputOperator: Operator {}

extension Operator {
  /// Whether the input has to be exact: another number, however close, may have quite another result.
  package var needsExactInput: Bool { hasSteps || self is any ExactInputOperator }
}

extension Masking: ExactInputOperator {}

/// An operator whose input is numbers of things, from 0 on, and not quantities.
package protocol IndexingOperator: ExactInputOperator {
  /// How many things there are.
  var count: Int { get }
}

extension Embedding: IndexingOperator {}

/// An operator to which steps of one value do not count.
package protocol StepMarkingOperator: ExactInputOperator {
  /// The value.
  var value: Double { get }
  /// Whether each value is a step; otherwise the last axis is one step's.
  var isPerValue: Bool { get }
}

extension StepMask: StepMarkingOperator {}
