import ModelIR

/// A learned factor for each channel.
public struct Scale: ChannelScalingOperator {
  /// The operator's name in documents.
  public static let name = "Scale"

  /// The last axis.
  package var axis: Int { -1 }

  /// True: factors are required.
  public static var needsParameters: Bool { true }

  /// Creates a scale.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    _ = try inputs[0].lastAxis()
    return inputs[0]
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each channel has its own factor.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Values are scaled.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns gamma, with one value per channel.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    [try inputs[0].parameter(.gamma, along: [inputs[0].rank - 1])]
  }

  /// Returns gamma, with no offset.
  package func channelScale(_ parameters: [ParameterRole: NDArray<Float>]) -> ChannelScale {
    let scale = parameters[.gamma]?.values.map { Double($0) } ?? []
    let zeros = scale.map { _ in 0.0 }
    return ChannelScale(scale: scale, mean: zeros, shift: zeros)
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
