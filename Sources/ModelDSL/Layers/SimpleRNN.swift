import ModelIR
import Operators

/// A recurrent layer whose output is its state.
public struct SimpleRNN: NetworkLayer {
  /// The name by which kernels and bias are asked for.
  public let name: String?
  /// `rnn`.
  public var kind: String { "rnn" }
  /// `SimpleRNN`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>
  /// The mask and the state, as far as there are any.
  public let furtherInputs: [any NodeSource]

  /// A layer that goes through a sequence: (length, channels).
  ///
  /// - Parameters:
  ///   - units: the size of the state, and of an output.
  ///   - activation: applied to the sum.
  ///   - returns: the output of the last step, those of all steps, or what is left of the state.
  ///   - goesBackwards: whether it begins with the last step.
  ///   - mask: which steps count: (length), where 0 masks a step; by default all of them.
  ///   - initialState: what it begins with: (units); by default zeros.
  ///   - statefulBatch: after how many sequences one goes on where another has ended; by default each begins by itself.
  ///   - zerosMasked: whether the output of a masked step is zeros; otherwise it is that of the step before.
  ///   - useBias: whether a bias is added.
  ///   - separateBiases: whether a bias is added behind each of the two kernels, as in PyTorch, and not one for both.
  ///   - name: the name by which the parameters are asked for.
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

/// What a recurrent layer reads besides its sequence.
struct RecurrentInputs {
  let mask: (any NodeSource)?
  let state: [any NodeSource]?

  /// The parameters that a recurrent layer does without.
  static func omitted(_ useBias: Bool, separateBiases: Bool) -> Set<ParameterRole> {
    useBias ? separateBiases ? [] : [.recurrentBias] : [.bias, .recurrentBias]
  }

  /// In the order in which operators take them.
  var nodes: [any NodeSource] { (mask.map { [$0] } ?? []) + (state ?? []) }

  /// A way through a sequence that takes them.
  func recurrence(
    _ returns: RecurrentResult, _ goesBackwards: Bool, _ zerosMasked: Bool, _ statefulBatch: Int?
  ) -> Recurrence {
    Recurrence(
      returns: returns, goesBackwards: goesBackwards, takesMask: mask != nil,
      takesState: state != nil, zerosMasked: zerosMasked, statefulBatch: statefulBatch)
  }
}
