import ModelIR

/// An element-wise selection: the second input where the first is true, otherwise the third.
///
/// Any number except 0 is true. Axes of size 1 are broadcast.
public struct Where: Operator {
  /// The operator's name in documents.
  public static let name = "Where"

  /// Creates a selection.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Three inputs: the condition, and the values for true and for false.
  public var inputCount: ClosedRange<Int> { 3...3 }

  /// Values of several inputs are combined at the same index, except that a broadcast vector has no such index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { pointFlow(of: inputs) }

  /// Each value is selected from those at the same index.
  public var orderDependence: OrderDependence { .none }

  /// True: a small change of the condition can select the other value.
  public var hasSteps: Bool { true }

  /// Values are selected.
  public var valueEffect: ValueEffect { .computed }

  /// One value of each input per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 3 }

  /// Returns the broadcast shape: the largest size along each axis; others must be 1.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try broadcastShape(of: inputs)
  }

  /// y = x₁ where x₀ is not 0, otherwise x₂.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try broadcast(inputs) { $0[0] != 0 ? $0[1] : $0[2] }
  }
}
