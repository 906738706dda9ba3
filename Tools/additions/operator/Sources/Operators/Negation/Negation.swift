import ModelIR

/// Values with the opposite sign.
public struct Negation: Operator {
  /// The name in documents.
  public static let name = "Negation"

  /// A negation.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Every value is treated alike.
  public var orderDependence: OrderDependence { .none }

  /// They change their sign.
  public var valueEffect: ValueEffect { .computed }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { inputs[0] }

  /// y = -x.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { inputs[0].map { -$0 } }
}
