import ModelIR

/// The largest or smallest values along an axis in order, or their indices.
///
/// Of equal values, the one with the lower index is first; NaN precedes all numbers.
public struct TopK: Operator {
  /// The operator's name in documents.
  public static let name = "TopK"

  /// The kind of result.
  public enum Result: String, Sendable, Codable, CaseIterable {
    /// The values themselves.
    case values
    /// Their indices along the axis, from 0.
    case indices
  }

  /// The number of selected values.
  public let count: Int
  /// The axis along which values are selected; negative values count from the end.
  public let axis: Int
  /// True if the smallest values are selected, in ascending order.
  public let takesSmallest: Bool
  /// The kind of result.
  public let result: Result

  /// Creates a selection of `count` values along `axis`.
  public init(count: Int, axis: Int, takesSmallest: Bool = false, result: Result = .values) {
    self.count = count
    self.axis = axis
    self.takesSmallest = takesSmallest
    self.result = result
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case count
    case axis
    case takesSmallest
    case result
  }

  /// Decodes the attributes; by default the largest values are returned.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      count: try attributes.decode(Int.self, forKey: .count),
      axis: try attributes.decode(Int.self, forKey: .axis),
      takesSmallest: try attributes.value(.takesSmallest, default: false),
      result: try attributes.value(.result, default: .values))
  }

  /// Values change their order.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The order of equal values, and the indices, depend on the order of the input.
  public var orderDependence: OrderDependence { .full }

  /// True for indices: a small change may make another value the largest.
  public var hasSteps: Bool { result == .indices }

  /// Values change their order, or are replaced by indices.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values along the axis.
  public func fanIn(of inputs: [[Int]]) -> Int { AxisList([axis]).count(in: inputs[0]) }

  /// Returns the shape of the input with `count` values along the axis.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try checkSizes(("count", count))
    var dimensions = inputs[0].dimensions
    let axis = try AxisList([axis]).indices(rank: dimensions.count)[0]
    // The limit of sizes and of exact indices is ArgReduce's.
    _ = try ArgReduce(.maximum, axis: axis).outputShape(for: inputs)
    if let size = dimensions[axis], size < count { throw .tooFewValues(size, count) }
    dimensions[axis] = count
    return Shape(dimensions)
  }

  /// y[r] = the value of rank r, or its index.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    let places = try places(in: x.shape)
    var y = try NDArray<Double>(shape: size)
    for (start, first) in zip(places.slices.starts, places.outputs.starts) {
      let value = { (index: Int) in x.values[start + places.slices.offsets[index]] }
      for (rank, index) in indices(among: places.slices.offsets.count, value).enumerated() {
        y.values[first + places.outputs.offsets[rank]] =
          result == .values ? value(index) : Double(index)
      }
    }
    return y
  }

  /// Returns the slices of an input of `shape`, and those of the output.
  package func places(
    in shape: [Int]
  ) throws(NetconvError) -> (slices: AxisSlices, outputs: AxisSlices) {
    let axis = try AxisList([axis]).indices(rank: shape.count)[0]
    var selected = shape
    selected[axis] = count
    return (AxisSlices(of: shape, along: [axis]), AxisSlices(of: selected, along: [axis]))
  }

  /// Returns the indices of the selected values among `count` values, in order.
  @inlinable
  package func indices<Value: BinaryFloatingPoint>(
    among size: Int, _ value: (Int) -> Value
  ) -> ArraySlice<Int> {
    (0..<size).sorted { first, second in
      let (x, y) = (value(first), value(second))
      if x.isNaN || y.isNaN { return x.isNaN && (!y.isNaN || first < second) }
      if x == y { return first < second }
      return takesSmallest ? x < y : x > y
    }.prefix(count)
  }
}

extension NetconvError {
  fileprivate static func tooFewValues(_ size: Int, _ count: Int) -> NetconvError {
    NetconvError(
      .badData, "selects \(count) values along an axis of size \(size)")
  }
}
