import ModelIR

/// An element-wise combination of several inputs.
public enum MergeCombination: Sendable {
  /// x₀ + x₁ + ….
  case sum
  /// x₀ - x₁.
  case difference
  /// x₀ / x₁.
  case quotient
  /// x₀ · x₁ · ….
  case product
  /// (x₀ + x₁ + …) / n.
  case mean
  /// The largest value.
  case largest
  /// The smallest value.
  case smallest
}

/// An operator that combines inputs element by element.
///
/// All inputs have the same rank; axes of size 1 are broadcast.
public protocol MergeOperator: Operator {
  /// The combination of input values.
  static var combination: MergeCombination { get }
}

extension MergeOperator {
  /// Two or more inputs; exactly two for a difference or a quotient.
  public var inputCount: ClosedRange<Int> {
    switch Self.combination {
    case .difference, .quotient: 2...2
    default: 2...Int.max
    }
  }

  /// Values of several inputs are combined at the same index, except that a broadcast vector has no such index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { pointFlow(of: inputs) }

  /// Each value is combined with those at the same index.
  public var orderDependence: OrderDependence { .none }

  /// Values are combined.
  public var valueEffect: ValueEffect { .computed }

  /// One value of each input per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs.count }

  /// Returns the broadcast shape: the largest size along each axis; others must be 1.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try broadcastShape(of: inputs)
  }

  /// y = x₀ ∘ x₁ ∘ …, element by element.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try broadcast(inputs) { Self.combination($0) }
  }
}

extension MergeCombination {
  /// Combines one value from each input; NaN propagates.
  fileprivate func callAsFunction(_ x: [Double]) -> Double {
    let rest = x.dropFirst()
    if x.contains(where: \.isNaN) { return .nan }
    return switch self {
    case .sum: rest.reduce(x[0], +)
    case .difference: rest.reduce(x[0], -)
    case .quotient: rest.reduce(x[0], /)
    case .product: rest.reduce(x[0], *)
    case .mean: rest.reduce(x[0], +) / Double(x.count)
    case .largest: rest.reduce(x[0], max)
    case .smallest: rest.reduce(x[0], min)
    }
  }
}
