import ModelIR

/// The same values with another shape.
public struct Reshape: Operator {
  /// The operator's name in documents.
  public static let name = "Reshape"

  /// The new shape without the batch; one size may be -1 and is inferred.
  public let shape: [Int]

  /// Creates a reshape to `shape`.
  public init(shape: [Int]) {
    self.shape = shape
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case shape
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    shape = try decoder.attributes(CodingKeys.self).decode([Int].self, forKey: .shape)
  }

  /// A reshape to one axis is a flatten.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow {
    guard shape.count == 1 else { return .other }
    return inputs[0].rank == 1 ? .elementwise : .flatten
  }

  /// A vector that stays a vector is unchanged.
  public var orderDependence: OrderDependence {
    shape.count == 1 ? .throughParameters : .full
  }

  /// Values keep their order in other axes.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns ``shape``, with -1 replaced by the inferred size; unknown if the input is.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let fixed = shape.filter { $0 != -1 }
    guard fixed.allSatisfy({ $0 > 0 }), shape.count - fixed.count <= 1 else {
      throw .cannotReshape(inputs[0], to: shape)
    }
    let fixedCount = try product(fixed)
    guard let known = inputs[0].known else {
      return Shape(shape.map { $0 == -1 ? nil : $0 })
    }
    let count = try product(known)
    guard fixed.count == shape.count ? fixedCount == count : count % fixedCount == 0 else {
      throw .cannotReshape(inputs[0], to: shape)
    }
    return Shape(shape.map { $0 == -1 ? count / fixedCount : $0 })
  }

  /// Returns the same values.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: [Shape(inputs[0].shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    return inputs[0].reshaped(size)
  }
}

extension NetconvError {
  fileprivate static func cannotReshape(_ shape: Shape, to target: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "cannot give the shape \(target) to an input of shape \(shape); the number of values must "
        + "stay the same, and one size at most may be -1")
  }
}
