import ModelIR

/// Normalisation of each position over its own values along one or more axes.
public struct LayerNormalization: VarianceOperator {
  /// The operator's name in documents.
  public static let name = "LayerNormalization"

  /// The constant that is added to the variance.
  public var epsilon: Double
  /// The axes that are normalised together.
  public let axis: AxisList
  /// True if the mean is subtracted; Keras's deprecated `rms_scaling` only divides by the standard deviation.
  public let subtractsMean: Bool

  /// Creates a normalisation along `axis` with `epsilon`; Keras's default is 0.001.
  public init(epsilon: Double = 0.001, axis: AxisList = -1, subtractsMean: Bool = true) {
    self.epsilon = epsilon
    self.axis = axis
    self.subtractsMean = subtractsMean
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case epsilon
    case axis
    case subtractsMean
  }

  /// Decodes the attributes; the defaults are 0.001, the last axis, and subtraction of the mean.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      epsilon: try attributes.value(.epsilon, default: 0.001),
      axis: try attributes.value(.axis, default: -1),
      subtractsMean: try attributes.value(.subtractsMean, default: true))
  }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    _ = try axis.indices(rank: inputs[0].rank)
    return inputs[0]
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Statistics do not depend on the order; each value has its own factor and offset.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Values are shifted and scaled.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values along the axes.
  public func fanIn(of inputs: [[Int]]) -> Int { axis.count(in: inputs[0]) }

  /// Returns gamma and beta, both optional, with one value for each index along the axes.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let axes = try axis.indices(rank: inputs[0].rank)
    return [
      try inputs[0].parameter(.gamma, along: axes, isOptional: true),
      try inputs[0].parameter(.beta, along: axes, isOptional: true),
    ]
  }

  /// y = gamma · (x - mean) / √(variance + epsilon) + beta, with the statistics of x along the axes.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    let slices = AxisSlices(of: y.shape, along: try axis.indices(rank: y.rank))
    let count = Double(slices.offsets.count)
    for start in slices.starts {
      let x = slices.offsets.map { inputs[0].values[start + $0] }
      let mean = x.reduce(0, +) / count
      let variance = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
      for (index, offset) in slices.offsets.enumerated() {
        let scale = (parameters[.gamma]?.values[index] ?? 1) / (variance + epsilon).squareRoot()
        y.values[start + offset] =
          scale * (x[index] - (subtractsMean ? mean : 0)) + (parameters[.beta]?.values[index] ?? 0)
      }
    }
    return y
  }
}
