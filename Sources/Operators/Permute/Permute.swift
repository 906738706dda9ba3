import ModelIR

/// Axes in another order.
public struct Permute: Operator {
  /// The name in documents.
  public static let name = "Permute"

  /// For each axis of the output the axis of the input, counted from 0 without the batch.
  public let order: [Int]

  /// A permutation.
  public init(order: [Int]) {
    self.order = order
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case order
  }

  /// Reads the attribute.
  public init(from decoder: any Decoder) throws {
    self.init(
      order: try decoder.attributes(CodingKeys.self).decode([Int].self, forKey: .order))
  }

  /// Axes change places, unless each stays.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow {
    if order == Array(order.indices) { return .elementwise }
    let last = order.count - 1
    return last > 1 && order == [last] + Array(0..<last) ? .channelsFirst : .other
  }

  /// Axes are told from each other.
  public var orderDependence: OrderDependence { .full }

  /// They change places.
  public var valueEffect: ValueEffect { .moved }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// The sizes in their new order.
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
