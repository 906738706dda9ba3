import ModelIR

/// All axes merged into one, in row-major order.
public struct Flatten: Operator {
  /// The operator's name in documents.
  public static let name = "Flatten"

  /// Creates a flatten.
  public init() {}

  /// Decodes an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Axes are merged, unless there is only one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow {
    inputs[0].rank == 1 ? .elementwise : .flatten
  }

  /// A vector is unchanged.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Values keep their order in a single axis.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape: (a, b, c) becomes (a · b · c).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard let known = inputs[0].known else { return Shape([nil]) }
    return Shape([try product(known)])
  }

  /// Returns the same values.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    inputs[0].reshaped([inputs[0].count])
  }
}

/// The coding keys of an operator without attributes.
enum NoKeys: CodingKey, CaseIterable {}
