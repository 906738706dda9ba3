import ModelIR

/// Each position divided by the root of the mean square of its own values along one axis or several.
public struct RMSNormalization: VarianceOperator {
  /// The name in documents.
  public static let name = "RMSNormalization"

  /// Added to the mean square.
  public var epsilon: Double
  /// The axes that are normalised together: the last, or several up to it.
  ///
  /// Keras applies its scale to the last axes whatever it normalises.
  public let axis: AxisList

  /// A normalisation along `axis` with `epsilon`; Keras's default is 1e-6.
  public init(epsilon: Double = 1e-6, axis: AxisList = -1) {
    self.epsilon = epsilon
    self.axis = axis
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case epsilon
    case axis
  }

  /// Reads the attributes, by default 1e-6 and the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      epsilon: try attributes.value(.epsilon, default: 1e-6),
      axis: try attributes.value(.axis, default: -1))
  }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let rank = inputs[0].rank
    let axes = try axis.indices(rank: rank)
    guard axes == Array((rank - axes.count)..<rank) else { throw .notLastAxes(axis.axes) }
    return inputs[0]
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Statistics know no order; each value has a factor.
  public var orderDependence: OrderDependence { .throughParameters }

  /// They are scaled.
  public var valueEffect: ValueEffect { .computed }

  /// The values along the axes.
  public func fanIn(of inputs: [[Int]]) -> Int { axis.count(in: inputs[0]) }

  /// gamma, one value for each place along the axes.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let axes = try axis.indices(rank: inputs[0].rank)
    return [try inputs[0].parameter(.gamma, along: axes, isOptional: true)]
  }

  /// y = gamma · x / √(mean of x² along the axes + epsilon).
  ///
  /// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    let slices = AxisSlices(of: y.shape, along: try axis.indices(rank: y.rank))
    for start in slices.starts {
      let squares = slices.offsets.map { y.values[start + $0] * y.values[start + $0] }
      let root = (squares.reduce(0, +) / Double(squares.count) + epsilon).squareRoot()
      for (index, offset) in slices.offsets.enumerated() {
        y.values[start + offset] *= (parameters[.gamma]?.values[index] ?? 1) / root
      }
    }
    return y
  }
}
