import ModelIR

/// A sequence with masked steps replaced by zeros; a step is masked if all of its values equal a given one.
public struct Masking: Operator {
  /// The operator's name in documents.
  public static let name = "Masking"

  /// The value that marks a masked step if all of its values equal it, rounded to float32.
  public let value: Double

  /// Creates a mask for steps in which all values equal `value`.
  public init(value: Double = 0) {
    self.value = value
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case value
  }

  /// Decodes the attribute; the default is 0.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(value: try attributes.value(.value, default: 0))
  }

  /// Values keep their indices, or are replaced by zeros.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// The result depends on which values form a step.
  public var orderDependence: OrderDependence { .full }

  /// Values are unchanged, or zeros.
  public var valueEffect: ValueEffect { .moved }

  /// The number of values in a step.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs[0].last ?? 1 }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    _ = try inputs[0].lastAxis()
    return inputs[0]
  }

  /// y[t, c] = x[t, c] if any value of step t differs from the given one, otherwise 0.
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
