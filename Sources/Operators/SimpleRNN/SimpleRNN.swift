import ModelIR

/// A recurrent layer whose output is its state: h' = activation(x·W + b + h·U).
public struct SimpleRNN: RecurrentOperator {
  /// The operator's name in documents.
  public static let name = "SimpleRNN"

  /// The number of units, which is the size of the state.
  public let units: Int
  /// The activation function, applied to the sum.
  public var activation: ActivationFunction
  /// The direction, masks, states and outputs of the recurrence.
  public var recurrence: Recurrence

  /// Creates a layer with `units` units.
  public init(
    units: Int, activation: ActivationFunction = .tanh, recurrence: Recurrence = Recurrence()
  ) {
    self.units = units
    self.activation = activation
    self.recurrence = recurrence
  }

  /// A single state.
  public static let stateCount = 1

  /// The simple cell type.
  public var cell: RecurrentCellKind { .simple }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case units
    case activation
    case recurrence
  }

  /// Decodes the attributes; all but the number of units have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      units: try attributes.decode(Int.self, forKey: .units),
      activation: try attributes.value(.activation, default: .tanh),
      recurrence: try attributes.value(.recurrence, default: Recurrence()))
  }

  /// h' = activation(sums + h·U).
  public func next(
    _ sums: [[Double]], _ state: [[Double]], _ recurrent: RecurrentProduct
  ) throws(NetconvError) -> [[Double]] {
    [try activation.applied(to: zip(sums[0], recurrent(state[0], gate: 0)).map(+))]
  }
}
