import ModelIR

/// The index of the largest or smallest value along an axis, from 0.
///
/// Indices are stored as float32 like all values, which is exact below 2²⁴.
public struct ArgReduce: Operator {
  /// The operator's name in documents.
  public static let name = "ArgReduce"

  /// The value to search for.
  public enum Function: String, Sendable, Codable, CaseIterable {
    /// The largest value.
    case maximum
    /// The smallest value.
    case minimum
  }

  /// The value to search for.
  public let function: Function
  /// The axis along which indices count; negative values count from the end.
  public let axis: Int
  /// True if the axis is kept with size 1.
  public let keepDimensions: Bool
  /// True if ties are resolved in favour of the last index rather than the first.
  public let takesLast: Bool

  /// Creates an index search along `axis`.
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

  /// Decodes the attributes; by default the axis is removed, and the first of equal values is selected.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      try attributes.decode(Function.self, forKey: .function),
      axis: try attributes.decode(Int.self, forKey: .axis),
      keepDimensions: try attributes.value(.keepDimensions, default: false),
      takesLast: try attributes.value(.takesLast, default: false))
  }

  /// Several values are reduced to one index.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result is an index.
  public var orderDependence: OrderDependence { .full }

  /// True: a small change may make another value the largest.
  public var hasSteps: Bool { true }

  /// Values are replaced by indices.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values along the axis.
  public func fanIn(of inputs: [[Int]]) -> Int { AxisList([axis]).count(in: inputs[0]) }

  /// Returns the shape of the input without the axis, or with size 1 along it.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let shape = try reduction.outputShape(for: inputs)
    let index = try AxisList([axis]).indices(rank: inputs[0].rank)[0]
    if let size = inputs[0].dimensions[index], size > Self.largestCount {
      throw .indicesBeyondFloat(size)
    }
    return shape
  }

  /// The largest size of an axis whose indices are exact as float32.
  private static let largestCount = 1 << 24

  private var reduction: Reduce {
    Reduce(.maximum, axes: [axis], keepDimensions: keepDimensions)
  }

  /// y = the index of the largest or smallest value.
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

  /// Returns the slices of an input of `shape` that are reduced to one index each.
  package func slices(of shape: [Int]) throws(NetconvError) -> AxisSlices {
    try reduction.slices(of: shape)
  }

  /// Returns the index of the selected value among `count` values; the first NaN takes precedence.
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

extension NetconvError {
  fileprivate static func indicesBeyondFloat(_ count: Int) -> NetconvError {
    NetconvError(.badData, "\(count) values along the axis, whose indices are not exact as float32")
  }
}
