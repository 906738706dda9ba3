import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Batch normalisation with the statistics from training.
public struct BatchNormalization: VarianceOperator, ChannelScalingOperator {
  /// The operator's name in documents.
  public static let name = "BatchNormalization"

  /// The constant that is added to the variance.
  public var epsilon: Double

  /// The channel axis, not counting the batch; negative values count from the end.
  public let axis: Int

  /// Creates a normalisation with `epsilon`; Keras's default is 0.001.
  public init(epsilon: Double = 0.001, axis: Int = -1) {
    self.epsilon = epsilon
    self.axis = axis
  }

  /// True: statistics are required.
  public static var needsParameters: Bool { true }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case epsilon
    case axis
  }

  /// Decodes the attributes; the defaults are 0.001 and the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      epsilon: try attributes.value(.epsilon, default: 0.001),
      axis: try attributes.value(.axis, default: -1))
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each channel has its own parameters.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Values are shifted and scaled.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  /// Returns gamma and beta (both optional), mean and variance, with one value per channel.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let axis = try resolve(axis: axis, rank: inputs[0].rank)
    guard let channels = inputs[0].dimensions[axis] else { throw .unknownSize(inputs[0]) }
    return [
      (ParameterRole.gamma, true), (.beta, true), (.mean, false), (.variance, false),
    ].map { role, isOptional in
      ParameterSpec(
        role, .vector, .c, [.channels: channels], isOptional: isOptional,
        featureAxis: axis == inputs[0].rank - 1 ? .channels : nil)
    }
  }

  /// Returns gamma / √(variance + epsilon), the mean, and beta.
  package func channelScale(_ parameters: [ParameterRole: NDArray<Float>]) -> ChannelScale {
    let values = { (role: ParameterRole) in parameters[role]?.values.map { Double($0) } }
    let mean = values(.mean) ?? []
    let gamma = values(.gamma) ?? mean.map { _ in 1 }
    let scale = zip(gamma, values(.variance) ?? []).map { gamma, variance in
      gamma / (variance + epsilon).squareRoot()
    }
    return ChannelScale(scale: scale, mean: mean, shift: values(.beta) ?? mean.map { _ in 0 })
  }

  /// y = gamma · (x - mean) / √(variance + epsilon) + beta, per channel.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    let axis = try resolve(axis: axis, rank: y.rank)
    guard let mean = parameters[.mean]?.values, let variance = parameters[.variance]?.values else {
      throw .unknownSize(Shape(y.shape))
    }
    let stride = y.shape[(axis + 1)...].reduce(1, *)
    for index in y.values.indices {
      let c = index / stride % y.shape[axis]
      let scale = (parameters[.gamma]?.values[c] ?? 1) / sqrt(variance[c] + epsilon)
      y.values[index] = scale * (y.values[index] - mean[c]) + (parameters[.beta]?.values[c] ?? 0)
    }
    return y
  }
}
