import ModelIR

/// Each position normalised over its own values along an axis.
public struct LayerNormalization: Operator {
  /// The name in documents.
  public static let name = "LayerNormalization"

  /// Added to the variance.
  public let epsilon: Double
  /// The axis that is normalised, counted without the batch; negative from the end.
  public let axis: Int

  /// A normalisation along `axis` with `epsilon`; Keras's default is 0.001.
  public init(epsilon: Double = 0.001, axis: Int = -1) {
    self.epsilon = epsilon
    self.axis = axis
  }

  /// Reads the attributes, by default 0.001 and the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      epsilon: try attributes.value(.epsilon, default: 0.001),
      axis: try attributes.value(.axis, default: -1))
  }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    _ = try resolve(axis: axis, rank: inputs[0].rank)
    return inputs[0]
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// gamma and beta, both optional, one value per channel.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let axis = try resolve(axis: axis, rank: inputs[0].rank)
    guard let channels = inputs[0].dimensions[axis] else { throw .unknownSize(inputs[0]) }
    return [ParameterRole.gamma, .beta].map { role in
      ParameterSpec(
        role, .vector, .c, [.channels: channels], isOptional: true,
        featureAxis: axis == inputs[0].rank - 1 ? .channels : nil)
    }
  }

  /// y = gamma · (x - mean) / √(variance + epsilon) + beta, with the statistics of x along the axis.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    let axis = try resolve(axis: axis, rank: y.rank)
    let channels = y.shape[axis]
    let step = y.shape[(axis + 1)...].reduce(1, *)
    for position in 0..<y.count / channels {
      let first = position / step * step * channels + position % step
      let x = (0..<channels).map { inputs[0].values[first + $0 * step] }
      let mean = x.reduce(0, +) / Double(channels)
      let variance = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(channels)
      for c in 0..<channels {
        let scale = (parameters[.gamma]?.values[c] ?? 1) / (variance + epsilon).squareRoot()
        y.values[first + c * step] =
          scale * (x[c] - mean) + (parameters[.beta]?.values[c] ?? 0)
      }
    }
    return y
  }
}
