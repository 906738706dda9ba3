import ModelIR

/// One number for all values along some axes.
public struct Reduce: Operator {
  /// The name in documents.
  public static let name = "Reduce"

  /// A function of several numbers.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// Their sum.
    case sum
    /// Their sum divided by how many there are.
    case mean
    /// The largest.
    case maximum
    /// The smallest.
    case minimum
    /// Their product.
    case product
  }

  /// The function of the values.
  public let function: Function
  /// The axes along which they lie.
  public let axes: AxisList
  /// Whether these axes are left with a size of 1.
  public let keepDimensions: Bool

  /// A function of all values along `axes`.
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

  /// Reads the attributes; by default the axes go away.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      try attributes.decode(Function.self, forKey: .function),
      axes: try attributes.decode(AxisList.self, forKey: .axes),
      keepDimensions: try attributes.value(.keepDimensions, default: false))
  }

  /// Several values become one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Values along some axes go together.
  public var orderDependence: OrderDependence { .full }

  /// They are summed, multiplied, or chosen from.
  public var valueEffect: ValueEffect { .computed }

  /// All values along the axes.
  public func fanIn(of inputs: [[Int]]) -> Int { axes.count(in: inputs[0]) }

  /// The shape of the input without the axes, or with a size of 1 there.
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

  /// y = f(all x along the axes); a NaN among them wins.
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

  /// The values of an input of `shape` that become one.
  package func slices(of shape: [Int]) throws(NetconvError) -> AxisSlices {
    AxisSlices(of: shape, along: try axes.indices(rank: shape.count))
  }
}

extension Reduce.Function {
  /// One number for `values`, of which there is one at least.
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

  /// The result of no numbers.
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
