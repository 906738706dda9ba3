import ModelIR
import Operators

/// A layer of gated recurrent units.
public struct GRU: NetworkLayer {
  /// The name by which kernels and biases are asked for.
  public let name: String?
  /// `gru`.
  public var kind: String { "gru" }
  /// `GRU`.
  public let operation: any Operator
  /// The biases, if there are none.
  public let omittedParameters: Set<ParameterRole>
  /// The mask and the state, as far as there are any.
  public let furtherInputs: [any NodeSource]

  /// A layer that goes through a sequence: (length, channels).
  ///
  /// - Parameters:
  ///   - units: the size of the state, and of an output.
  ///   - activation: applied to the new value.
  ///   - recurrentActivation: applied to the gates.
  ///   - resetsAfter: whether the reset gate is applied behind the recurrent kernel, as in Keras unless `reset_after` is
  ///     false; there are models of both kinds, so that it has to be said.
  ///   - returns: the output of the last step, those of all steps, or what is left of the state.
  ///   - goesBackwards: whether it begins with the last step.
  ///   - mask: which steps count: (length), where 0 masks a step; by default all of them.
  ///   - initialState: what it begins with: (units); by default zeros.
  ///   - statefulBatch: after how many sequences one goes on where another has ended; by default each begins by itself.
  ///   - zerosMasked: whether the output of a masked step is zeros; otherwise it is that of the step before.
  ///   - useBias: whether biases are added.
  ///   - separateBiases: whether there is one behind each of the two kernels, and not one for both; by default where
  ///     the reset gate is applied behind the recurrent kernel.
  ///   - name: the name by which the parameters are asked for.
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
