import ModelIR

/// The values at the given indices along an axis; the second input has the indices.
///
/// Indices are float32 like all values, which is exact up to 2²⁴; fractions are truncated, and negative indices count from
/// the end.
public struct Gather: Operator {
  /// The operator's name in documents.
  public static let name = "Gather"

  /// The axis of the first input that indices count along; negative values count from the end.
  public let axis: Int
  /// True if each output value has its own index, so that the result has the shape of the indices.
  ///
  /// Otherwise the axes of the indices replace the axis.
  public let byElement: Bool

  /// Creates a gather along `axis`.
  public init(axis: Int, byElement: Bool = false) {
    self.axis = axis
    self.byElement = byElement
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case axis
    case byElement
  }

  /// Decodes the attributes; by default whole slices are gathered.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      axis: try attributes.decode(Int.self, forKey: .axis),
      byElement: try attributes.value(.byElement, default: false))
  }

  /// The values, and their indices.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values are moved to other indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on the indices of values.
  public var orderDependence: OrderDependence { .full }

  /// Some values are dropped or repeated.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the indices, or the shape of the values with the axes of the indices in place of the axis.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let (values, indices) = (inputs[0].dimensions, inputs[1].dimensions)
    let axis = try AxisList([axis]).indices(rank: values.count)[0]
    guard byElement else {
      return Shape(values[..<axis] + indices + values[(axis + 1)...])
    }
    guard values.count == indices.count,
      values.indices.allSatisfy({ index in
        guard index != axis, let size = values[index], let count = indices[index] else {
          return true
        }
        return count <= size
      })
    else { throw .wrongIndices(inputs[1], of: inputs[0]) }
    return inputs[1]
  }

  /// y[…, i, …] = x[…, indices[i], …].
  ///
  /// - Throws: `badData` naming an index that is out of range.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let (x, indices) = (inputs[0], inputs[1])
    let shape = try outputShape(for: [Shape(x.shape), Shape(indices.shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    let runs = try runs(of: x.shape, indices.shape)
    var y: [Double] = []
    y.reserveCapacity(size.reduce(1, *))
    for run in runs.starts.indices {
      let start = try runs.start(run) { indices.values[$0] }
      y += x.values[start..<start + runs.length]
    }
    return NDArray(shape: size, values: y)
  }

  /// Returns the runs of values that are gathered from an input of `shape` by indices of another shape.
  package func runs(of shape: [Int], _ indices: [Int]) throws(NetconvError) -> GatheredRuns {
    let axis = try AxisList([axis]).indices(rank: shape.count)[0]
    let inner = shape[(axis + 1)...].reduce(1, *)
    guard byElement else {
      let (outer, count) = (shape[..<axis].reduce(1, *), indices.reduce(1, *))
      return GatheredRuns(
        starts: (0..<outer).flatMap { [Int](repeating: $0 * shape[axis] * inner, count: count) },
        indices: (0..<outer).flatMap { _ in 0..<count }, length: inner, stride: inner,
        size: shape[axis])
    }
    var starts = [0]
    for (index, size) in indices.enumerated() {
      let stride = index == axis ? 0 : shape[(index + 1)...].reduce(1, *)
      starts = starts.flatMap { start in (0..<size).map { start + $0 * stride } }
    }
    return GatheredRuns(
      starts: starts, indices: Array(starts.indices), length: 1, stride: inner,
      size: shape[axis])
  }
}

/// Runs of contiguous input values in the order of the output.
package struct GatheredRuns: Sendable {
  /// The offset of each run for the index 0.
  package let starts: [Int]
  /// For each run, the offset of its index.
  let indices: [Int]
  /// The number of values of a run.
  package let length: Int
  /// The distance of values whose indices differ by 1.
  let stride: Int
  /// The size of the axis that indices count along.
  let size: Int

  /// Returns the offset of a run's first value.
  ///
  /// - Parameter index: returns the index at an offset.
  /// - Throws: `badData` if the index is out of range.
  package func start(_ run: Int, _ index: (Int) -> Double) throws(NetconvError) -> Int {
    let stated = index(indices[run])
    // Truncated, as token ids are; so -0.5 is 0.
    guard stated > -Double(size) - 1, stated < Double(size) else {
      throw .indexOutside(stated, size: size)
    }
    let place = Int(stated)
    guard place >= -size else { throw .indexOutside(stated, size: size) }
    return starts[run] + (place < 0 ? place + size : place) * stride
  }
}

extension NetconvError {
  fileprivate static func wrongIndices(_ indices: Shape, of values: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "gathers elements of shape \(values) by indices of shape \(indices); expected the same rank, and no larger sizes "
        + "but along the axis")
  }

  fileprivate static func indexOutside(_ index: Double, size: Int) -> NetconvError {
    NetconvError(
      .badData, "the index \(numeral(index)) is outside of an axis of size \(size)")
  }
}
