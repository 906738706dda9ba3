import ModelIR

/// An operator that goes through a sequence step by step, and gives what its ``Recurrence`` says.
public protocol SteppingOperator: Operator {
  /// How it goes through the sequence.
  var recurrence: Recurrence { get set }

  /// How many arrays the state is: the first of them is the output.
  static var stateCount: Int { get }
}

extension SteppingOperator {
  /// Checks that it knows one beginning of a sequence.
  ///
  /// - Throws: `badData`.
  func checkBeginning() throws(NetconvError) {
    guard let count = recurrence.statefulBatch else { return }
    guard count > 0 else { throw .noStatefulBatch(count) }
    guard !recurrence.takesState else { throw .twoBeginnings }
  }
}
