import ModelIR
import Operators

/// A layer of gated recurrent units.
public struct GRU: NetworkLayer {
  /// The name for looking up the kernels and the biases.
  public let name: String?
  /// The prefix of default names, `gru`.
  public var kind: String { "gru" }
  /// The operator, `GRU`.
  public let operation: any Operator
  /// The biases that are omitted.
  public let omittedParameters: Set<ParameterRole>
  /// The mask and the initial state, if given.
  public let furtherInputs: [any NodeSource]

  /// Creates a layer over sequences: (length, channels).
  ///
  /// - Parameters:
  ///   - units: the size of the state, and of an output.
  ///   - activation: the activation function of the new value.
  ///   - recurrentActivation: the activation function of the gates.
  ///   - resetsAfter: true if the reset gate is applied after the recurrent kernel, as in Keras unless `reset_after` is
  ///     false; there is no default, as both kinds of models are common.
  ///   - returns: the output: that of the last step, those of all steps, or the final state.
  ///   - goesBackwards: true to process the sequence from the last step to the first.
  ///   - mask: the mask: (length), where 0 marks a masked step; by default no step is masked.
  ///   - initialState: the initial state: (units); zeros by default.
  ///   - statefulBatch: the batch size of a stateful layer; by default each sequence starts from its own initial state.
  ///   - zerosMasked: true to output zeros for masked steps; otherwise the previous output is repeated.
  ///   - useBias: true to add biases.
  ///   - separateBiases: true for one bias after each of the two kernels, rather than one for both; by default true if
  ///     the reset gate is applied after the recurrent kernel.
  ///   - name: the name for looking up the parameters.
  public init(
    units: Int, activation: ActivationFunction = .tanh,
    recurrentActivation: ActivationFunction = .sigmoid, resetsAfter: Bool,
    returns: RecurrentResult = .last, goesBackwards: Bool = false, mask: (any NodeSource)? = nil,
    initialState: (any NodeSource)? = nil, statefulBatch: Int? = nil,
    zerosMasked: Bool = false, useBias: Bool = true,
    separateBiases: Bool? = nil, name: String
  ) {
    let further = RecurrentInputs(mask: mask, state: initialState.map { [$0] })
    operation = Operators.GRU(
      units: units, activation: activation, recurrentActivation: recurrentActivation,
      resetsAfter: resetsAfter,
      recurrence: further.recurrence(returns, goesBackwards, zerosMasked, statefulBatch))
    furtherInputs = further.nodes
    omittedParameters = RecurrentInputs.omitted(
      useBias, separateBiases: separateBiases ?? resetsAfter)
    self.name = name
  }
}
