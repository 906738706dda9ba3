import ModelIR

/// An operator that goes through a sequence step by step, and gives what its ``Recurrence`` says.
public protocol SteppingOperator: Operator {
  /// How it goes through the sequence.
  var recurrence: Recurrence { get set }

  /// How many arrays the state is: the first of them is the output.
  static var stateCount: Int { get }
}
