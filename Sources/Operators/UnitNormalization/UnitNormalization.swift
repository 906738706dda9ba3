import ModelIR

/// Division of each position by the Euclidean norm of its own values along one or more axes.
public struct UnitNormalization: Operator {
  /// The operator's name in documents.
  public static let name = "UnitNormalization"

  /// The lower bound of the divisor: 1e-12 in Keras 3, 1e-6 in Keras 2.
  public let smallestNorm: Double
  /// The axes that are normalised together.
  public let axis: AxisList

  /// Creates a normalisation along `axis`.
  public init(smallestNorm: Double = 1e-12, axis: AxisList = -1) {
    self.smallestNorm = smallestNorm
    self.axis = axis
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case smallestNorm
    case axis
  }

  /// Decodes the attributes; the defaults are 1e-12 and the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      smallestNorm: try attributes.value(.smallestNorm, default: 1e-12),
      axis: try attributes.value(.axis, default: -1))
  }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    _ = try axis.indices(rank: inputs[0].rank)
    return inputs[0]
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// The norm does not depend on the order.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Values are scaled.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values along the axes.
  public func fanIn(of inputs: [[Int]]) -> Int { axis.count(in: inputs[0]) }

  /// y = x / max(√(Σ x² along the axes), smallestNorm).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    let slices = AxisSlices(of: y.shape, along: try axis.indices(rank: y.rank))
    for start in slices.starts {
      let x = slices.offsets.map { y.values[start + $0] }
      let norm = x.reduce(0) { $0 + $1 * $1 }.squareRoot()
      for offset in slices.offsets {
        y.values[start + offset] /= norm < smallestNorm ? smallestNorm : norm
      }
    }
    return y
  }
}
