import ModelIR

/// The concatenation of two or more inputs along an axis.
public struct Concatenate: Operator {
  /// The operator's name in documents.
  public static let name = "Concatenate"

  /// The axis, not counting the batch; negative values count from the end.
  public let axis: Int

  /// Creates a concatenation along `axis`.
  public init(axis: Int = -1) {
    self.axis = axis
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case axis
  }

  /// Decodes the attribute; the default is the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(axis: try attributes.value(.axis, default: -1))
  }

  /// Two or more inputs.
  public var inputCount: ClosedRange<Int> { 2...Int.max }

  /// Values of several inputs are combined into one array.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Values of each input stay contiguous.
  public var orderDependence: OrderDependence { .full }

  /// Values are moved.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape: sizes along the axis are added; all others must be equal.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let axis = try resolve(axis: axis, rank: inputs[0].rank)
    var dimensions = inputs[0].dimensions
    for input in inputs.dropFirst() {
      guard input.rank == dimensions.count else { throw .differentShapes(inputs) }
      for index in dimensions.indices where index != axis {
        if let known = dimensions[index], let other = input.dimensions[index], known != other {
          throw .differentShapes(inputs)
        }
        dimensions[index] = dimensions[index] ?? input.dimensions[index]
      }
      dimensions[axis] = sum(dimensions[axis], input.dimensions[axis])
    }
    return Shape(dimensions)
  }

  /// y[…, a₀ + a₁ + …, …], the inputs one after another along the axis.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    let axis = try resolve(axis: axis, rank: shape.rank)
    guard let size = shape.known else { throw .unknownSize(shape) }
    var values: [Double] = []
    for outer in 0..<size[..<axis].reduce(1, *) {
      for x in inputs {
        let block = x.shape[axis...].reduce(1, *)
        values += x.values[outer * block..<(outer + 1) * block]
      }
    }
    return NDArray(shape: size, values: values)
  }

  /// Returns the sum of two sizes, unknown if either is.
  private func sum(_ a: Int?, _ b: Int?) -> Int? {
    guard let a, let b else { return nil }
    return a.addingReportingOverflow(b).partialValue
  }
}
