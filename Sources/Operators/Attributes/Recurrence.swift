/// What a recurrent layer gives.
public enum RecurrentResult: String, Sendable, Codable, CaseIterable {
  /// The output of the last step: (units).
  case last
  /// The outputs of all steps, in the order in which they were computed: (length, units).
  case sequence
  /// The state that the last step leaves, which a masked step does not change: (units).
  case state
  /// The cell's own state that the last step leaves: (units).
  case cell
}

/// How a recurrent layer goes through a sequence.
public struct Recurrence: Sendable, Hashable, Codable {
  /// The kind of the first output.
  public var returns: RecurrentResult
  /// Whether the states that the last step leaves are further outputs: what ``RecurrentResult/state`` is, and, of a layer
  /// that has one, ``RecurrentResult/cell``.
  public var givesStates: Bool
  /// Whether it begins with the last step.
  public var goesBackwards: Bool
  /// Whether its second input says which steps count: (length), where 0 masks a step.
  public var takesMask: Bool
  /// Whether its last inputs are the states that it begins with: (units) each; otherwise they are zeros.
  public var takesState: Bool
  /// Whether the output of a masked step is zeros; otherwise it is that of the step before, and zeros before the first.
  public var zerosMasked: Bool
  /// After how many sequences one goes on where another has ended; `nil` where each begins by itself.
  ///
  /// With 4, the fifth begins with the states that the first has left. In Keras these are stateful layers, and this is
  /// the size of their batch.
  public var statefulBatch: Int?

  /// A way through a sequence.
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

  /// Reads the settings; by default the last output of a forward pass that begins with zeros.
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

  /// Writes the settings; that states are given only if they are, as before there was such a setting.
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
