import ModelIR

/// Two or more inputs laid end to end along an axis.
public struct Concatenate: Operator {
  /// The name in documents.
  public static let name = "Concatenate"

  /// Counted without the batch; negative from the end.
  public let axis: Int

  /// A concatenation along `axis`.
  public init(axis: Int = -1) {
    self.axis = axis
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case axis
  }

  /// Reads the attribute, by default the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(axis: try attributes.value(.axis, default: -1))
  }

  /// Two or more.
  public var inputCount: ClosedRange<Int> { 2...Int.max }

  /// Values of several inputs come to lie in one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Values of one input stay together.
  public var orderDependence: OrderDependence { .full }

  /// They are put side by side.
  public var valueEffect: ValueEffect { .moved }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// The sizes along the axis add up; all others agree.
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

  /// y[…, a₀ + a₁ + …, …], the inputs one after the other along the axis.
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

  /// The sum of two sizes, unknown if either is.
  private func sum(_ a: Int?, _ b: Int?) -> Int? {
    guard let a, let b else { return nil }
    return a.addingReportingOverflow(b).partialValue
  }
}
