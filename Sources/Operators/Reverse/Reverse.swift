import ModelIR

/// The steps of a sequence, or the rows of an image, in reversed order.
public struct Reverse: Operator {
  /// The operator's name in documents.
  public static let name = "Reverse"

  /// Creates a reversal.
  public init() {}

  private enum CodingKeys: CodingKey, CaseIterable {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(CodingKeys.self)
  }

  /// Values are reordered.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on the indices of values.
  public var orderDependence: OrderDependence { .full }

  /// Values are moved.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard inputs[0].rank > 0 else {
      throw .wrongRank(inputs[0], expected: "at least one axis")
    }
    return inputs[0]
  }

  /// y[t, …] = x[length - 1 - t, …].
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let run = x.count / x.shape[0]
    let values = (0..<x.shape[0]).reversed().flatMap { x.values[$0 * run..<($0 + 1) * run] }
    return NDArray(shape: x.shape, values: values)
  }
}
