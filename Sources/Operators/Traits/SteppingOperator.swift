import ModelIR

/// An operator that goes through a sequence step by step, and gives what its ``Recurrence`` says.
public protocol SteppingOperator: Operator {
  /// How it goes through the sequence.
  var recurrence: Recurrence { get set }

  /// How many arrays the state is: the first of them is the output.
  static var stateCount: Int { get }
}

extension SteppingOperator {
  /// One, and the states if it gives them.
  public var outputCount: Int { recurrence.givesStates ? 1 + Self.stateCount : 1 }

  /// The shapes of what it gives, then of the states if it gives them.
  public func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    let first = try outputShape(for: inputs)
    guard recurrence.givesStates else { return [first] }
    let state = try computing(output: 1).outputShape(for: inputs)
    return [first] + Array(repeating: state, count: Self.stateCount)
  }

  /// The layer that gives only its first output, or only one of the states.
  public func computing(output index: Int) -> any Operator {
    var alone = self
    alone.recurrence.givesStates = false
    if index > 0 { alone.recurrence.returns = index == 1 ? .state : .cell }
    return alone
  }

  /// What ``recurrence`` says that it gives.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try evaluateOutputs(inputs, parameters)[0]
  }

  /// The first output, and the states if they are given too.
  ///
  /// - Parameters:
  ///   - last: the output of the last step, or those of all steps.
  ///   - states: what the last step has left.
  func outputs(
    _ last: NDArray<Double>, states: [NDArray<Double>]
  ) -> [NDArray<Double>] {
    let first =
      switch recurrence.returns {
      case .sequence, .last: last
      case .state: states[0]
      case .cell: states[1]
      }
    return recurrence.givesStates ? [first] + states : [first]
  }

  /// Checks that it knows one beginning of a sequence.
  ///
  /// - Throws: `badData`.
  func checkBeginning() throws(NetconvError) {
    guard let count = recurrence.statefulBatch else { return }
    guard count > 0 else { throw .noStatefulBatch(count) }
    guard !recurrence.takesState else { throw .twoBeginnings }
  }
}
