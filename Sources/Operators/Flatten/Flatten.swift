import ModelIR

/// All axes merged into one, in C order.
public struct Flatten: Operator {
  /// The name in documents.
  public static let name = "Flatten"

  /// A flatten.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Merges, unless there is only one axis.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow {
    inputs[0].rank == 1 ? .elementwise : .flatten
  }

  /// Of a vector nothing changes.
  public var orderDependence: OrderDependence { .throughParameters }

  /// They stay, in one axis.
  public var valueEffect: ValueEffect { .moved }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// (a, b, c) to (a · b · c).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard let known = inputs[0].known else { return Shape([nil]) }
    return Shape([try product(known)])
  }

  /// The same values.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    inputs[0].reshaped([inputs[0].count])
  }
}

/// The keys of an operator without attributes.
enum NoKeys: CodingKey, CaseIterable {}
