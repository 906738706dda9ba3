import ModelIR

/// The first input plus a multiple of the second.
public struct ScaledAdd: Operator {
  /// The name in documents.
  public static let name = "ScaledAdd"

  /// What the second input is multiplied by.
  public let scale: Double

  /// A sum with `scale` times the second input.
  public init(scale: Double) {
    self.scale = scale
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case scale
  }

  /// Reads the attribute.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(scale: try attributes.decode(Double.self, forKey: .scale))
  }

  /// Two.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values of two inputs become one, at their own place.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Values are added to those at the same place.
  public var orderDependence: OrderDependence { .none }

  /// Sums.
  public var valueEffect: ValueEffect { .computed }

  /// Two.
  public func fanIn(of inputs: [[Int]]) -> Int { 2 }

  /// The shape of both inputs.
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
