import ModelIR

/// Division of each position by the root mean square of its own values along one or more axes.
public struct RMSNormalization: VarianceOperator {
  /// The operator's name in documents.
  public static let name = "RMSNormalization"

  /// The constant that is added to the mean square.
  public var epsilon: Double
  /// The axes that are normalised together: the last, or several up to the last.
  ///
  /// Keras applies its scale to the last axes regardless of the normalised axes.
  public let axis: AxisList

  /// Creates a normalisation along `axis` with `epsilon`; Keras's default is 1e-6.
  public init(epsilon: Double = 1e-6, axis: AxisList = -1) {
    self.epsilon = epsilon
    self.axis = axis
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case epsilon
    case axis
  }

  /// Decodes the attributes; the defaults are 1e-6 and the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      epsilon: try attributes.value(.epsilon, default: 1e-6),
      axis: try attributes.value(.axis, default: -1))
  }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let rank = inputs[0].rank
    let axes = try axis.indices(rank: rank)
    guard axes == Array((rank - axes.count)..<rank) else { throw .notLastAxes(axis.axes) }
    return inputs[0]
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Statistics do not depend on the order; each value has its own factor.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Values are scaled.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values along the axes.
  public func fanIn(of inputs: [[Int]]) -> Int { axis.count(in: inputs[0]) }

  /// Returns gamma, with one value for each index along the axes.
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

extension NetconvError {
  fileprivate static func notLastAxes(_ axes: [Int]) -> NetconvError {
    NetconvError(.badData, "axis is \(axes), expected the last axis, or several up to it")
  }
}
