import ModelIR

/// The index of the largest or smallest value along an axis, from 0 on.
///
/// Indices are float32 as all values are, which is exact below 2²⁴.
public struct ArgReduce: Operator {
  /// The name in documents.
  public static let name = "ArgReduce"

  /// Which value is looked for.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// The largest.
    case maximum
    /// The smallest.
    case minimum
  }

  /// Which value is looked for.
  public let function: Function
  /// The axis along which indices count; negative from the end.
  public let axis: Int
  /// Whether the axis is left with a size of 1.
  public let keepDimensions: Bool
  /// Whether the last of several equal values is taken, not the first.
  public let takesLast: Bool

  /// The index of a value along `axis`.
  public init(
    _ function: Function, axis: Int, keepDimensions: Bool = false, takesLast: Bool = false
  ) {
    self.function = function
    self.axis = axis
    self.keepDimensions = keepDimensions
    self.takesLast = takesLast
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case function
    case axis
    case keepDimensions
    case takesLast
  }

  /// Reads the attributes; by default the axis goes away, and the first of equal values is taken.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      try attributes.decode(Function.self, forKey: .function),
      axis: try attributes.decode(Int.self, forKey: .axis),
      keepDimensions: try attributes.value(.keepDimensions, default: false),
      takesLast: try attributes.value(.takesLast, default: false))
  }

  /// Several values become one index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Indices are what is computed.
  public var orderDependence: OrderDependence { .full }

  /// A value that changes a little can become the largest.
  public var hasSteps: Bool { true }

  /// Values become indices.
  public var valueEffect: ValueEffect { .computed }

  /// All values along the axis.
  public func fanIn(of inputs: [[Int]]) -> Int { AxisList([axis]).count(in: inputs[0]) }

  /// The shape of the input without the axis, or with a size of 1 there.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let shape = try reduction.outputShape(for: inputs)
    let index = try AxisList([axis]).indices(rank: inputs[0].rank)[0]
    if let size = inputs[0].dimensions[index], size > Self.largestCount {
      throw .indicesBeyondFloat(size)
    }
    return shape
  }

  /// The most values whose indices are exact as float32.
  private static let largestCount = 1 << 24

  private var reduction: Reduce {
    Reduce(.maximum, axes: [axis], keepDimensions: keepDimensions)
  }

  /// y = the index of the value that is looked for.
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
        Double(index(in: slices.offsets.count) { x.values[start + slices.offsets[$0]] })
      })
  }

  /// The values of an input of `shape` that become one index.
  package func slices(of shape: [Int]) throws(NetconvError) -> AxisSlices {
    try reduction.slices(of: shape)
  }

  /// The index of the value that is looked for among `count` values; the first NaN wins.
  @inlinable
  package func index<Value: BinaryFloatingPoint>(
    in count: Int, _ value: (Int) -> Value
  ) -> Int {
    var (found, best) = (0, value(0))
    for index in 1..<max(1, count) where !best.isNaN {
      let next = value(index)
      let isBetter =
        next.isNaN || (function == .maximum ? next > best : next < best)
        || takesLast && next == best
      if isBetter { (found, best) = (index, next) }
    }
    return found
  }
}
