import ModelIR

/// A sequence with zeros in the place of the steps of which every value is a given one.
public struct Masking: Operator {
  /// The name in documents.
  public static let name = "Masking"

  /// What all values of a step that does not count are, rounded to float32.
  public let value: Double

  /// Zeros for steps of nothing but `value`.
  public init(value: Double = 0) {
    self.value = value
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case value
  }

  /// Reads the attribute, by default 0.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(value: try attributes.value(.value, default: 0))
  }

  /// Values stay where they are, or are zeros.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// The values of a step belong together.
  public var orderDependence: OrderDependence { .full }

  /// They stay, or are zeros.
  public var valueEffect: ValueEffect { .moved }

  /// The values of a step.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs[0].last ?? 1 }

  /// The input's.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    _ = try inputs[0].lastAxis()
    return inputs[0]
  }

  /// y[t, c] = x[t, c] if one value of the step t is not the given one, else 0.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let mask = try StepMask(value: value).evaluate(inputs, [:])
    var y = inputs[0]
    let channels = y.shape[y.rank - 1]
    for index in y.values.indices where mask.values[index / channels] == 0 { y.values[index] = 0 }
    return y
  }
}
