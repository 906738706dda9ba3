import ModelIR

/// A recurrent layer whose output is its state: h' = activation(x·W + b + h·U).
public struct SimpleRNN: RecurrentOperator {
  /// The name in documents.
  public static let name = "SimpleRNN"

  /// The size of the state.
  public let units: Int
  /// Applied to the sum.
  public var activation: ActivationFunction
  /// How it goes through the sequence.
  public var recurrence: Recurrence

  /// A layer of `units`.
  public init(
    units: Int, activation: ActivationFunction = .tanh, recurrence: Recurrence = Recurrence()
  ) {
    self.units = units
    self.activation = activation
    self.recurrence = recurrence
  }

  /// One.
  public static let stateCount = 1

  /// A simple one.
  public var cell: RecurrentCellKind { .simple }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case units
    case activation
    case recurrence
  }

  /// Reads the attributes; all but the units have defaults.
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
