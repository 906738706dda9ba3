import ModelIR
import Operators

/// A layer of long short-term memory.
public struct LSTM: NetworkLayer {
  /// The name for looking up the kernels and the bias.
  public let name: String?
  /// The prefix of default names, `lstm`.
  public var kind: String { "lstm" }
  /// The operator, `LSTM`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>
  /// The mask and the initial states, if given.
  public let furtherInputs: [any NodeSource]

  /// Creates a layer over sequences: (length, channels).
  ///
  /// - Parameters:
  ///   - units: the size of each state, and of an output.
  ///   - activation: the activation function of the cell's input and of the cell.
  ///   - recurrentActivation: the activation function of the gates.
  ///   - returns: the output: that of the last step, those of all steps, or the final state.
  ///   - goesBackwards: true to process the sequence from the last step to the first.
  ///   - mask: the mask: (length), where 0 marks a masked step; by default no step is masked.
  ///   - initialState: the initial states: (units) each; zeros by default.
  ///   - statefulBatch: the batch size of a stateful layer; by default each sequence starts from its own initial state.
  ///   - zerosMasked: true to output zeros for masked steps; otherwise the previous output is repeated.
  ///   - useBias: true to add a bias.
  ///   - separateBiases: true for a bias after each of the two kernels, as in PyTorch, rather than one for both.
  ///   - name: the name for looking up the parameters.
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
