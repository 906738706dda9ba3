import ModelIR

/// What goes in comes out: layers that only act during training, such as dropout.
public struct Identity: Operator {
  /// The name in documents.
  public static let name = "Identity"

  /// An identity.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Nothing is done to any.
  public var orderDependence: OrderDependence { .none }

  /// None.
  public var valueEffect: ValueEffect { .none }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  /// The input.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0] }
}
