import ModelIR

/// An operator that processes a sequence step by step, with outputs selected by its ``Recurrence``.
public protocol SteppingOperator: Operator {
  /// The direction, masks, states and outputs of the recurrence.
  var recurrence: Recurrence { get set }

  /// The number of state arrays, the first of which is the output.
  static var stateCount: Int { get }
}

extension SteppingOperator {
  /// One output, and the states if they are outputs too.
  public var outputCount: Int { recurrence.givesStates ? 1 + Self.stateCount : 1 }

  /// Returns the shape of the first output, and those of the states if they are outputs too.
  public func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    let first = try outputShape(for: inputs)
    guard recurrence.givesStates else { return [first] }
    let state = try computing(output: 1).outputShape(for: inputs)
    return [first] + Array(repeating: state, count: Self.stateCount)
  }

  /// Returns the layer with only its first output, or with only one of the states as its output.
  public func computing(output index: Int) -> any Operator {
    var alone = self
    alone.recurrence.givesStates = false
    if index > 0 { alone.recurrence.returns = index == 1 ? .state : .cell }
    return alone
  }

  /// Returns the output selected by ``recurrence``.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try evaluateOutputs(inputs, parameters)[0]
  }

  /// Returns the first output, and the states if they are outputs too.
  ///
  /// - Parameters:
  ///   - last: the output of the last step, or of all steps.
  ///   - states: the states after the last step.
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

  /// Checks that the initial state is unambiguous.
  ///
  /// - Throws: `badData`.
  func checkBeginning() throws(NetconvError) {
    guard let count = recurrence.statefulBatch else { return }
    guard count > 0 else { throw .noStatefulBatch(count) }
    guard !recurrence.takesState else { throw .twoBeginnings }
  }
}

extension NetconvError {
  fileprivate static func noStatefulBatch(_ count: Int) -> NetconvError {
    NetconvError(.badData, "statefulBatch is \(count), expected 1 or more")
  }

  fileprivate static let twoBeginnings = NetconvError(
    .badData,
    "recurrence reads its first state from an input and from the previous sequence, expected one of them"
  )
}
