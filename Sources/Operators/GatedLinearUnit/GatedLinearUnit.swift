import ModelIR

/// One half of the values, each multiplied by the sigmoid of its counterpart in the other half.
public struct GatedLinearUnit: Operator {
  /// The operator's name in documents.
  public static let name = "GatedLinearUnit"

  /// The axis to split in half, not counting the batch; negative values count from the end.
  public let axis: Int

  /// Creates a gated linear unit that splits `axis`.
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

  /// Two halves are combined into one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Each value has a counterpart in the other half.
  public var orderDependence: OrderDependence { .full }

  /// Values are multiplied by gates.
  public var valueEffect: ValueEffect { .computed }

  /// Two input values per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 2 }

  /// Returns the shape of the input, with half the size along the axis.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let axis = try resolve(axis: axis, rank: inputs[0].rank)
    var dimensions = inputs[0].dimensions
    guard let size = dimensions[axis] else { return inputs[0] }
    guard size % 2 == 0 else { throw .oddSize(size) }
    dimensions[axis] = size / 2
    return Shape(dimensions)
  }

  /// y = a · sigmoid(b), with the halves a and b of x.
  ///
  /// Source: Dauphin et al., "Language Modeling with Gated Convolutional Networks" (2017).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let output = shape.known else { throw .unknownSize(shape) }
    let axis = try resolve(axis: axis, rank: x.rank)
    let half = output[axis...].reduce(1, *)
    let sigmoid = ActivationFunction.sigmoid
    var y = try NDArray<Double>(shape: output)
    for index in y.values.indices {
      let first = index / max(1, half) * 2 * half + index % max(1, half)
      y.values[index] = x.values[first] * sigmoid(x.values[first + half])
    }
    return y
  }
}

extension NetconvError {
  fileprivate static func oddSize(_ size: Int) -> NetconvError {
    NetconvError(.badData, "the axis has the size \(size), which cannot be halved")
  }
}
