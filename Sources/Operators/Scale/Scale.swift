import ModelIR

/// Each channel multiplied by a number of its own, which is learned.
public struct Scale: Operator {
  /// The name in documents.
  public static let name = "Scale"

  /// A scale.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    _ = try inputs[0].lastAxis()
    return inputs[0]
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// gamma, one value per channel.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    [try inputs[0].parameter(.gamma, along: [inputs[0].rank - 1])]
  }

  /// y = gamma · x, per channel.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    guard let gamma = parameters[.gamma]?.values else { throw .unknownSize(Shape(y.shape)) }
    for index in y.values.indices { y.values[index] *= gamma[index % gamma.count] }
    return y
  }
}
