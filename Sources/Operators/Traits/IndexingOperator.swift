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

/// An operator one of whose inputs has indices along an axis of another.
package protocol GatheringOperator: ExactInputOperator {
  /// The position of the input that has the indices.
  var indexInput: Int { get }
  /// Returns the number of valid indices; `nil` if it is open.
  func indexCount(for inputs: [Shape]) -> Int?
}

extension Gather: GatheringOperator {
  package var indexInput: Int { 1 }

  package func indexCount(for inputs: [Shape]) -> Int? {
    let axes = try? AxisList([axis]).indices(rank: inputs[0].rank)
    return axes.flatMap { inputs[0].dimensions[$0[0]] }
  }
}

/// An operator that searches its input for values, and returns these or their indices.
package protocol SearchingOperator: Operator {}

extension ArgReduce: SearchingOperator {}
extension TopK: SearchingOperator {}

/// An operator that masks the steps in which all values equal a given one.
package protocol StepMarkingOperator: ExactInputOperator {
  /// The value that marks a masked step.
  var value: Double { get }
  /// True if each value is a step; otherwise a step extends along the last axis.
  var isPerValue: Bool { get }
}

extension StepMask: StepMarkingOperator {}
