import ModelIR

/// A layer of long short-term memory.
///
/// With the sums z = x·W + b + h·U of each gate: c' = r(f)·c + r(i)·a(c), h' = r(o)·a(c'), where a is the activation
/// and r the recurrent activation.
///
/// Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997, with the forget gate of Gers et al., 1999;
/// keras/src/layers/rnn/lstm.py.
public struct LSTM: GatedOperator {
  /// The operator's name in documents.
  public static let name = "LSTM"

  /// The number of units, which is the size of the state.
  public let units: Int
  /// The activation function of the cell's input and of the cell.
  public var activation: ActivationFunction
  /// The activation function of the gates.
  public var recurrentActivation: ActivationFunction
  /// The direction, masks, states and outputs of the recurrence.
  public var recurrence: Recurrence

  /// Creates a layer with `units` units.
  public init(
    units: Int, activation: ActivationFunction = .tanh,
    recurrentActivation: ActivationFunction = .sigmoid, recurrence: Recurrence = Recurrence()
  ) {
    self.units = units
    self.activation = activation
    self.recurrentActivation = recurrentActivation
    self.recurrence = recurrence
  }

  /// Two states: the output and the cell.
  public static let stateCount = 2

  /// The cell type, with the gates input, forget, cell, output.
  public var cell: RecurrentCellKind { .lstm }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case units
    case activation
    case recurrentActivation
    case recurrence
  }

  /// Decodes the attributes; all but the number of units have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      units: try attributes.decode(Int.self, forKey: .units),
      activation: try attributes.value(.activation, default: .tanh),
      recurrentActivation: try attributes.value(.recurrentActivation, default: .sigmoid),
      recurrence: try attributes.value(.recurrence, default: Recurrence()))
  }

  /// c' = r(f)·c + r(i)·a(c), h' = r(o)·a(c').
  public func next(
    _ sums: [[Double]], _ state: [[Double]], _ recurrent: RecurrentProduct
  ) throws(NetconvError) -> [[Double]] {
    func gate(_ index: Int, _ function: ActivationFunction) throws(NetconvError) -> [Double] {
      try function.applied(to: zip(sums[index], recurrent(state[0], gate: index)).map(+))
    }
    let (input, forget) = (try gate(0, recurrentActivation), try gate(1, recurrentActivation))
    let (new, output) = (try gate(2, activation), try gate(3, recurrentActivation))
    let last = state[1]
    let cell = (0..<units).map { (unit: Int) -> Double in
      forget[unit] * last[unit] + input[unit] * new[unit]
    }
    return [zip(output, try activation.applied(to: cell)).map(*), cell]
  }
}
