import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Batch normalisation with the statistics of training, over the last axis.
public struct BatchNormalization: Operator {
  /// The name in documents.
  public static let name = "BatchNormalization"

  /// Added to the variance.
  public let epsilon: Double

  /// A normalisation with `epsilon`; Keras's default is 0.001.
  public init(epsilon: Double = 0.001) {
    self.epsilon = epsilon
  }

  /// Reads the attribute, by default 0.001.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(epsilon: try attributes.value(.epsilon, default: 0.001))
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  /// gamma, beta (both optional), mean and variance, one value per channel.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let sizes = [Axis.channels: try inputs[0].lastAxis()]
    return [
      (ParameterRole.gamma, true), (.beta, true), (.mean, false), (.variance, false),
    ].map { role, isOptional in
      ParameterSpec(role, .vector, .c, sizes, isOptional: isOptional, featureAxis: .channels)
    }
  }

  /// y = gamma · (x - mean) / √(variance + epsilon) + beta, per channel.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    guard let mean = parameters[.mean]?.values, let variance = parameters[.variance]?.values,
      let channels = y.shape.last
    else { throw .unknownSize(Shape(y.shape)) }
    for index in y.values.indices {
      let c = index % channels
      let scale = (parameters[.gamma]?.values[c] ?? 1) / sqrt(variance[c] + epsilon)
      y.values[index] = scale * (y.values[index] - mean[c]) + (parameters[.beta]?.values[c] ?? 0)
    }
    return y
  }
}
