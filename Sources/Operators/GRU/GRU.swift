import ModelIR

/// A layer of gated recurrent units.
///
/// z and r are gates of x·W + b + h·U, and h' = z·h + (1 - z)·a(n). The new value n is x·W + b + r·(h·U + b'), or x·W +
/// b + (r·h)·U if the reset is applied before the product.
///
/// Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", 2014, in its two versions;
/// keras/src/layers/rnn/gru.py.
public struct GRU: ResettingOperator {
  /// The operator's name in documents.
  public static let name = "GRU"

  /// The number of units, which is the size of the state.
  public let units: Int
  /// The activation function of the new value.
  public var activation: ActivationFunction
  /// The activation function of the gates.
  public var recurrentActivation: ActivationFunction
  /// True if the reset gate is applied after the recurrent kernel, which then has its own bias.
  public var resetsAfter: Bool
  /// The direction, masks, states and outputs of the recurrence.
  public var recurrence: Recurrence

  /// Creates a layer with `units` units.
  public init(
    units: Int, activation: ActivationFunction = .tanh,
    recurrentActivation: ActivationFunction = .sigmoid, resetsAfter: Bool,
    recurrence: Recurrence = Recurrence()
  ) {
    self.units = units
    self.activation = activation
    self.recurrentActivation = recurrentActivation
    self.resetsAfter = resetsAfter
    self.recurrence = recurrence
  }

  /// A single state.
  public static let stateCount = 1

  /// The cell type, with the gates update, reset, new value.
  public var cell: RecurrentCellKind { resetsAfter ? .gru : .gruWithResetBefore }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case units
    case activation
    case recurrentActivation
    case resetsAfter
    case recurrence
  }

  /// Decodes the attributes; the units and the position of the reset have no defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      units: try attributes.decode(Int.self, forKey: .units),
      activation: try attributes.value(.activation, default: .tanh),
      recurrentActivation: try attributes.value(.recurrentActivation, default: .sigmoid),
      resetsAfter: try attributes.decode(Bool.self, forKey: .resetsAfter),
      recurrence: try attributes.value(.recurrence, default: Recurrence()))
  }

  /// h' = z·h + (1 - z)·a(n).
  public func next(
    _ sums: [[Double]], _ state: [[Double]], _ recurrent: RecurrentProduct
  ) throws(NetconvError) -> [[Double]] {
    let h = state[0]
    func gate(_ index: Int) throws(NetconvError) -> [Double] {
      try recurrentActivation.applied(to: zip(sums[index], recurrent(h, gate: index)).map(+))
    }
    let (update, reset) = (try gate(0), try gate(1))
    let inner =
      resetsAfter
      ? zip(reset, recurrent(h, gate: 2)).map(*) : recurrent(zip(reset, h).map(*), gate: 2)
    let new = try activation.applied(to: zip(sums[2], inner).map(+))
    let mixed = (0..<units).map { (unit: Int) -> Double in
      let z = update[unit]
      return z * h[unit] + (1 - z) * new[unit]
    }
    return [mixed]
  }
}
