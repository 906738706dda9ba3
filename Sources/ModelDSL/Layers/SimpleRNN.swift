import ModelIR
import Operators

/// A recurrent layer whose output is its state.
public struct SimpleRNN: NetworkLayer {
  /// The name for looking up the kernels and the bias.
  public let name: String?
  /// The prefix of default names, `rnn`.
  public var kind: String { "rnn" }
  /// The operator, `SimpleRNN`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>
  /// The mask and the initial state, if given.
  public let furtherInputs: [any NodeSource]

  /// Creates a layer over sequences: (length, channels).
  ///
  /// - Parameters:
  ///   - units: the size of the state, and of an output.
  ///   - activation: the activation function, applied to the sum.
  ///   - returns: the output: that of the last step, those of all steps, or the final state.
  ///   - goesBackwards: true to process the sequence from the last step to the first.
  ///   - mask: the mask: (length), where 0 marks a masked step; by default no step is masked.
  ///   - initialState: the initial state: (units); zeros by default.
  ///   - statefulBatch: the batch size of a stateful layer; by default each sequence starts from its own initial state.
  ///   - zerosMasked: true to output zeros for masked steps; otherwise the previous output is repeated.
  ///   - useBias: true to add a bias.
  ///   - separateBiases: true for a bias after each of the two kernels, as in PyTorch, rather than one for both.
  ///   - name: the name for looking up the parameters.
  public init(
    units: Int, activation: ActivationFunction = .tanh, returns: RecurrentResult = .last,
    goesBackwards: Bool = false, mask: (any NodeSource)? = nil,
    initialState: (any NodeSource)? = nil, statefulBatch: Int? = nil,
    zerosMasked: Bool = false, useBias: Bool = true,
    separateBiases: Bool = false, name: String
  ) {
    let further = RecurrentInputs(mask: mask, state: initialState.map { [$0] })
    operation = Operators.SimpleRNN(
      units: units, activation: activation,
      recurrence: further.recurrence(returns, goesBackwards, zerosMasked, statefulBatch))
    furtherInputs = further.nodes
    omittedParameters = RecurrentInputs.omitted(useBias, separateBiases: separateBiases)
    self.name = name
  }
}

/// The inputs of a recurrent layer in addition to its sequence.
struct RecurrentInputs {
  let mask: (any NodeSource)?
  let state: [any NodeSource]?

  /// Returns the parameters that a recurrent layer omits.
  static func omitted(_ useBias: Bool, separateBiases: Bool) -> Set<ParameterRole> {
    useBias ? separateBiases ? [] : [.recurrentBias] : [.bias, .recurrentBias]
  }

  /// The nodes in the order of the operator's inputs.
  var nodes: [any NodeSource] { (mask.map { [$0] } ?? []) + (state ?? []) }

  /// Returns the settings of a recurrence with these inputs.
  func recurrence(
    _ returns: RecurrentResult, _ goesBackwards: Bool, _ zerosMasked: Bool, _ statefulBatch: Int?
  ) -> Recurrence {
    Recurrence(
      returns: returns, goesBackwards: goesBackwards, takesMask: mask != nil,
      takesState: state != nil, zerosMasked: zerosMasked, statefulBatch: statefulBatch)
  }
}
