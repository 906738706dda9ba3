import ModelIR

/// A reduction of all values along some axes to one.
public struct Reduce: Operator {
  /// The operator's name in documents.
  public static let name = "Reduce"

  /// A reduction function.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// The sum.
    case sum
    /// The mean.
    case mean
    /// The largest value.
    case maximum
    /// The smallest value.
    case minimum
    /// The product.
    case product
  }

  /// The reduction function.
  public let function: Function
  /// The axes to reduce.
  public let axes: AxisList
  /// True if these axes are kept with size 1.
  public let keepDimensions: Bool

  /// Creates a reduction of all values along `axes`.
  public init(_ function: Function, axes: AxisList, keepDimensions: Bool = false) {
    self.function = function
    self.axes = axes
    self.keepDimensions = keepDimensions
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
    case axes
    case keepDimensions
  }

  /// Decodes the attributes; by default the axes are removed.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      try attributes.decode(Function.self, forKey: .function),
      axes: try attributes.decode(AxisList.self, forKey: .axes),
      keepDimensions: try attributes.value(.keepDimensions, default: false))
  }

  /// Several values are reduced to one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on which values lie along the reduced axes.
  public var orderDependence: OrderDependence { .full }

  /// Values are summed, multiplied, or selected.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values along the axes.
  public func fanIn(of inputs: [[Int]]) -> Int { axes.count(in: inputs[0]) }

  /// Returns the shape of the input without the axes, or with size 1 along them.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = inputs[0]
    let reduced = Set(try axes.indices(rank: input.rank))
    if keepDimensions {
      return Shape(
        input.dimensions.enumerated().map { reduced.contains($0.offset) ? 1 : $0.element })
    }
    return Shape(
      input.dimensions.enumerated().filter { !reduced.contains($0.offset) }.map(\.element))
  }

  /// y = f(all x along the axes); NaN propagates.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    let slices = try slices(of: x.shape)
    return NDArray(
      shape: size,
      values: slices.starts.map { start in
        function(slices.offsets.lazy.map { x.values[start + $0] })
      })
  }

  /// Returns the slices of an input of `shape` that are reduced to one value each.
  package func slices(of shape: [Int]) throws(NetconvError) -> AxisSlices {
    AxisSlices(of: shape, along: try axes.indices(rank: shape.count))
  }
}

extension Reduce.Function {
  /// Reduces `values`, of which there must be at least one.
  @inlinable
  package func callAsFunction(_ values: some Sequence<Double>) -> Double {
    var (result, count, isUnknown) = (start, 0.0, false)
    for value in values {
      isUnknown = isUnknown || value.isNaN
      count += 1
      switch self {
      case .sum, .mean: result += value
      case .maximum: result = max(result, value)
      case .minimum: result = min(result, value)
      case .product: result *= value
      }
    }
    if isUnknown { return .nan }
    return self == .mean ? result / count : result
  }

  /// The initial value of the reduction.
  @inlinable
  package var start: Double {
    switch self {
    case .sum, .mean: 0
    case .product: 1
    case .maximum: -.infinity
    case .minimum: .infinity
    }
  }
}
