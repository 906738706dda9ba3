import ModelIR

/// A slice of an array, with a start, a count and a step along each axis.
public struct Slice: Operator {
  /// The operator's name in documents.
  public static let name = "Slice"

  /// The first index along each axis.
  public let starts: [Int]
  /// The number of indices along each axis; `nil` for all indices of an axis whose size may be unknown.
  public let counts: [Int?]
  /// The step between indices along each axis; negative steps go backwards.
  public let steps: [Int]

  /// Creates a slice with `counts` indices along each axis.
  public init(starts: [Int], counts: [Int?], steps: [Int]) {
    self.starts = starts
    self.counts = counts
    self.steps = steps
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case starts
    case counts
    case steps
  }

  /// Decodes the attributes.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      starts: try attributes.decode([Int].self, forKey: .starts),
      counts: try attributes.decode([Int?].self, forKey: .counts),
      steps: try attributes.decode([Int].self, forKey: .steps))
  }

  /// Values are moved.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on the indices of values.
  public var orderDependence: OrderDependence { .full }

  /// Some values are dropped.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the number of indices along each axis.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = inputs[0]
    guard starts.count == input.rank, counts.count == input.rank, steps.count == input.rank else {
      throw .wrongSlice(axes: [starts.count, counts.count, steps.count], of: input)
    }
    var dimensions: [Int?] = []
    for (axis, size) in input.dimensions.enumerated() {
      guard let count = counts[axis] else {
        guard starts[axis] == 0, steps[axis] == 1 else { throw .partOfAll(axis) }
        dimensions.append(size)
        continue
      }
      try checkSizes(("counts", count))
      let (way, isFar) = (count - 1).multipliedReportingOverflow(by: steps[axis])
      let (last, isOver) = starts[axis].addingReportingOverflow(way)
      guard !isFar, !isOver, steps[axis] != 0 || count == 1, min(starts[axis], last) >= 0,
        let size, max(starts[axis], last) < size
      else { throw .sliceOutside(axis, of: input) }
      dimensions.append(count)
    }
    return Shape(dimensions)
  }

  /// y[i, …] = x[start + i · step, …].
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    return NDArray(shape: size, values: places(in: x.shape, size).map { x.values[$0] })
  }

  /// Returns the input offset of each value of an output of `shape`, in row-major order.
  package func places(in input: [Int], _ shape: [Int]) -> [Int] {
    var places = [0]
    for axis in shape.indices {
      let stride = input[(axis + 1)...].reduce(1, *)
      places = places.flatMap { place in
        (0..<shape[axis]).map { place + (starts[axis] + $0 * steps[axis]) * stride }
      }
    }
    return places
  }
}

extension NetconvError {
  fileprivate static func wrongSlice(axes counts: [Int], of input: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "has \(counts[0]) starts, \(counts[1]) counts and \(counts[2]) steps for an input of shape \(input); expected one "
        + "for each axis")
  }

  fileprivate static func partOfAll(_ axis: Int) -> NetconvError {
    NetconvError(
      .badData, "takes all of axis \(axis), expected a start of 0 and steps of 1")
  }

  fileprivate static func sliceOutside(_ axis: Int, of input: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "selects indices of axis \(axis) outside an input of shape \(input), or the same index at each step"
    )
  }
}
