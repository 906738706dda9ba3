/// An output of a recurrent layer.
public enum RecurrentResult: String, Sendable, Codable, CaseIterable {
  /// The output of the last step: (units).
  case last
  /// The outputs of all steps, in the order of computation: (length, units).
  case sequence
  /// The state after the last step, which masked steps do not change: (units).
  case state
  /// The cell state after the last step: (units).
  case cell
}

/// The way a recurrent layer processes a sequence.
public struct Recurrence: Sendable, Hashable, Codable {
  /// The type of the first output.
  public var returns: RecurrentResult
  /// True if the final states are additional outputs: ``RecurrentResult/state`` and, for a layer that has one,
  /// ``RecurrentResult/cell``.
  public var givesStates: Bool
  /// True if the sequence is processed from the last step to the first.
  public var goesBackwards: Bool
  /// True if the second input is a mask: (length), where 0 marks a masked step.
  public var takesMask: Bool
  /// True if the last inputs are the initial states, (units) each; otherwise these are zeros.
  public var takesState: Bool
  /// True if the output of a masked step is zeros; otherwise it repeats the previous output, or zeros before the first.
  public var zerosMasked: Bool
  /// The batch size of a stateful layer; `nil` if each sequence starts from its own initial state.
  ///
  /// With 4, the fifth sequence continues from the final states of the first. In Keras these are stateful layers, and
  /// this is the size of their batch.
  public var statefulBatch: Int?

  /// Creates the settings of a recurrence.
  public init(
    returns: RecurrentResult = .last, givesStates: Bool = false, goesBackwards: Bool = false,
    takesMask: Bool = false, takesState: Bool = false, zerosMasked: Bool = false,
    statefulBatch: Int? = nil
  ) {
    self.returns = returns
    self.givesStates = givesStates
    self.goesBackwards = goesBackwards
    self.takesMask = takesMask
    self.takesState = takesState
    self.zerosMasked = zerosMasked
    self.statefulBatch = statefulBatch
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case returns
    case givesStates
    case goesBackwards
    case takesMask
    case takesState
    case zerosMasked
    case statefulBatch
  }

  /// Decodes the settings; by default the last output of a forward pass that starts from zeros.
  public init(from decoder: any Decoder) throws {
    let settings = try decoder.attributes(CodingKeys.self)
    self.init(
      returns: try settings.value(.returns, default: .last),
      givesStates: try settings.value(.givesStates, default: false),
      goesBackwards: try settings.value(.goesBackwards, default: false),
      takesMask: try settings.value(.takesMask, default: false),
      takesState: try settings.value(.takesState, default: false),
      zerosMasked: try settings.value(.zerosMasked, default: false),
      statefulBatch: try settings.decodeIfPresent(Int.self, forKey: .statefulBatch))
  }

  /// Encodes the settings; `givesStates` only if it is true, as older documents have no such key.
  public func encode(to encoder: any Encoder) throws {
    var settings = encoder.container(keyedBy: CodingKeys.self)
    try settings.encode(returns, forKey: .returns)
    if givesStates { try settings.encode(true, forKey: .givesStates) }
    try settings.encode(goesBackwards, forKey: .goesBackwards)
    try settings.encode(takesMask, forKey: .takesMask)
    try settings.encode(takesState, forKey: .takesState)
    try settings.encode(zerosMasked, forKey: .zerosMasked)
    try settings.encodeIfPresent(statefulBatch, forKey: .statefulBatch)
  }
}
