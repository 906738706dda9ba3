import ModelIR

/// The identity, for layers that are active only during training, such as dropout.
public struct Identity: Operator {
  /// The operator's name in documents.
  public static let name = "Identity"

  /// Creates an identity.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each value is processed independently.
  public var orderDependence: OrderDependence { .none }

  /// Values stay the same.
  public var valueEffect: ValueEffect { .none }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  /// Returns the input.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0] }
}
