import ModelIR

/// How the values of several inputs become one.
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
  /// The largest.
  case largest
  /// The smallest.
  case smallest
}

/// An operator that combines inputs value by value.
///
/// All inputs have the same rank; along an axis where an input has the size 1, its values are repeated.
public protocol MergeOperator: Operator {
  /// How the values of the inputs become one.
  static var combination: MergeCombination { get }
}

extension MergeOperator {
  /// Two or more; of a difference or a quotient, two.
  public var inputCount: ClosedRange<Int> {
    switch Self.combination {
    case .difference, .quotient: 2...2
    default: 2...Int.max
    }
  }

  /// Values of several inputs become one, at their own place; of a vector that is repeated, there is no such place.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { pointFlow(of: inputs) }

  /// A value is combined with those at its own place.
  public var orderDependence: OrderDependence { .none }

  /// They are combined.
  public var valueEffect: ValueEffect { .computed }

  /// One value of each input.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs.count }

  /// The largest size along each axis; others are 1.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try broadcastShape(of: inputs)
  }

  /// y = x₀ ∘ x₁ ∘ …, value by value.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try broadcast(inputs) { Self.combination($0) }
  }
}

extension MergeCombination {
  /// One value from those of all inputs; a NaN among them wins.
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
