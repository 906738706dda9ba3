import ModelIR

/// One of two values at each index: the second input's where the first is true, else the third's.
///
/// Any number but 0 is true. Along an axis where an input has the size 1, its values are repeated.
public struct Where: Operator {
  /// The name in documents.
  public static let name = "Where"

  /// A choice.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Three: the condition, and the values where it is true and where it is not.
  public var inputCount: ClosedRange<Int> { 3...3 }

  /// Values of several inputs become one, at their own index; of a vector that is repeated, there is no such index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { pointFlow(of: inputs) }

  /// A value is chosen from those at its own index.
  public var orderDependence: OrderDependence { .none }

  /// A condition that changes a little can choose the other value.
  public var hasSteps: Bool { true }

  /// One of two values is left.
  public var valueEffect: ValueEffect { .computed }

  /// One value of each input.
  public func fanIn(of inputs: [[Int]]) -> Int { 3 }

  /// The largest size along each axis; others are 1.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try broadcastShape(of: inputs)
  }

  /// y = x₁ where x₀ is not 0, else x₂.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try broadcast(inputs) { $0[0] != 0 ? $0[1] : $0[2] }
  }
}
