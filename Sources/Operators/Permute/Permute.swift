import ModelIR

/// A permutation of axes.
public struct Permute: Operator {
  /// The operator's name in documents.
  public static let name = "Permute"

  /// For each axis of the output, the axis of the input, counted from 0 without the batch.
  public let order: [Int]

  /// Creates a permutation.
  public init(order: [Int]) {
    self.order = order
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case order
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    self.init(
      order: try decoder.attributes(CodingKeys.self).decode([Int].self, forKey: .order))
  }

  /// Axes are permuted, unless the order is the identity.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow {
    if order == Array(order.indices) { return .elementwise }
    let last = order.count - 1
    return last > 1 && order == [last] + Array(0..<last) ? .channelsFirst : .other
  }

  /// The result distinguishes axes.
  public var orderDependence: OrderDependence { .full }

  /// Values are moved.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the sizes in their new order.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard order.sorted() == Array(0..<inputs[0].rank) else {
      throw .wrongOrder(order, inputs[0])
    }
    return Shape(order.map { inputs[0].dimensions[$0] })
  }

  /// y[iₒ₀, iₒ₁, …] = x[i₀, i₁, …], with o the order.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    var y = try NDArray<Double>(shape: size)
    for index in y.values.indices {
      var rest = index
      var place = Array(repeating: 0, count: order.count)
      for axis in order.indices.reversed() {
        place[order[axis]] = rest % size[axis]
        rest /= size[axis]
      }
      y.values[index] = x.values[zip(place, x.shape).reduce(0) { $0 * $1.1 + $1.0 }]
    }
    return y
  }
}

extension NetconvError {
  fileprivate static func wrongOrder(_ order: [Int], _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "order is \(order), expected each axis of the input \(shape) once, counted from 0")
  }
}
