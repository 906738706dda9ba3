import ModelIR

/// Repetitions of a vector.
public struct RepeatVector: Operator {
  /// The operator's name in documents.
  public static let name = "RepeatVector"

  /// The number of repetitions.
  public let count: Int

  /// Creates a repetition `count` times.
  public init(count: Int) {
    self.count = count
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case count
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    self.init(
      count: try decoder.attributes(CodingKeys.self).decode(Int.self, forKey: .count))
  }

  /// Values are repeated.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result has a new axis.
  public var orderDependence: OrderDependence { .full }

  /// Values are repeated.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape: (features) becomes (count, features).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard inputs[0].rank == 1 else { throw .wrongRank(inputs[0], expected: "(features)") }
    try checkSizes(("count", count))
    return Shape([count] + inputs[0].dimensions)
  }

  /// y[n, i] = x[i].
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    _ = try outputShape(for: [Shape(inputs[0].shape)])
    return NDArray(
      shape: [count] + inputs[0].shape, values: (0..<count).flatMap { _ in inputs[0].values })
  }
}
