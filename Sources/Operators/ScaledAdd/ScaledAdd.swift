import ModelIR

/// The first input plus a multiple of the second.
public struct ScaledAdd: Operator {
  /// The operator's name in documents.
  public static let name = "ScaledAdd"

  /// The factor of the second input.
  public let scale: Double

  /// Creates a sum with `scale` times the second input.
  public init(scale: Double) {
    self.scale = scale
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case scale
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(scale: try attributes.decode(Double.self, forKey: .scale))
  }

  /// Two inputs.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values of two inputs are combined at the same index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each value is combined with the one at the same index.
  public var orderDependence: OrderDependence { .none }

  /// Values are replaced by sums.
  public var valueEffect: ValueEffect { .computed }

  /// Two input values per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 2 }

  /// Returns the shape of both inputs.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard inputs[0].isCompatible(with: inputs[1]) else { throw .differentShapes(inputs) }
    return Shape(zip(inputs[0].dimensions, inputs[1].dimensions).map { $0 ?? $1 })
  }

  /// y = x₀ + scale · x₁.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    guard inputs[0].shape == inputs[1].shape else {
      throw .differentShapes(inputs.map { Shape($0.shape) })
    }
    var y = inputs[0]
    for index in y.values.indices { y.values[index] += scale * inputs[1].values[index] }
    return y
  }
}
