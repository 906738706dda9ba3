import ModelIR
import Operators

/// A layer of long short-term memory.
public struct LSTM: NetworkLayer {
  /// The name by which kernels and bias are asked for.
  public let name: String?
  /// `lstm`.
  public var kind: String { "lstm" }
  /// `LSTM`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>
  /// The mask and the states, as far as there are any.
  public let furtherInputs: [any NodeSource]

  /// A layer that goes through a sequence: (length, channels).
  ///
  /// - Parameters:
  ///   - units: the size of each state, and of an output.
  ///   - activation: applied to what goes into the cell, and to the cell.
  ///   - recurrentActivation: applied to the gates.
  ///   - returns: the output of the last step, those of all steps, or what is left of the state.
  ///   - goesBackwards: whether it begins with the last step.
  ///   - mask: which steps count: (length), where 0 masks a step; by default all of them.
  ///   - initialState: what it begins with: (units) each; by default zeros.
  ///   - statefulBatch: after how many sequences one goes on where another has ended; by default each begins by itself.
  ///   - zerosMasked: whether the output of a masked step is zeros; otherwise it is that of the step before.
  ///   - useBias: whether a bias is added.
  ///   - separateBiases: whether a bias is added behind each of the two kernels, as in PyTorch, and not one for both.
  ///   - name: the name by which the parameters are asked for.
  public init(
    units: Int, activation: ActivationFunction = .tanh,
    recurrentActivation: ActivationFunction = .sigmoid, returns: RecurrentResult = .last,
    goesBackwards: Bool = false, mask: (any NodeSource)? = nil,
    initialState: (hidden: any NodeSource, cell: any NodeSource)? = nil, statefulBatch: Int? = nil,
    zerosMasked: Bool = false,
    useBias: Bool = true, separateBiases: Bool = false, name: String
  ) {
    let further = RecurrentInputs(mask: mask, state: initialState.map { [$0.hidden, $0.cell] })
    operation = Operators.LSTM(
      units: units, activation: activation, recurrentActivation: recurrentActivation,
      recurrence: further.recurrence(returns, goesBackwards, zerosMasked, statefulBatch))
    furtherInputs = further.nodes
    omittedParameters = RecurrentInputs.omitted(useBias, separateBiases: separateBiases)
    self.name = name
  }
}
