import ModelIR

/// A rectifier whose slope below 0 is learned.
public struct PReLU: Operator {
  /// The name in documents.
  public static let name = "PReLU"

  /// Axes along which all values have one slope, counted without the batch; negative from the end.
  public let sharedAxes: [Int]

  /// A rectifier with one slope along each of `sharedAxes`.
  public init(sharedAxes: [Int] = []) {
    self.sharedAxes = sharedAxes
  }

  /// It has no slopes of its own.
  public static var needsParameters: Bool { true }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case sharedAxes
  }

  /// Reads the attribute; by default each value has its own slope.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(sharedAxes: try attributes.value(.sharedAxes, default: []))
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each value has a slope.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Those below 0 are scaled.
  public var valueEffect: ValueEffect { .computed }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    for axis in sharedAxes { _ = try resolve(axis: axis, rank: inputs[0].rank) }
    return inputs[0]
  }

  /// The slopes, alpha: of the shape of the input, with 1 for the shared axes.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let input = inputs[0]
    let names = Array([Axis.depth, .height, .width, .channels].suffix(input.rank))
    guard !names.isEmpty, names.count == input.rank else {
      throw .wrongRank(input, expected: "one to four axes")
    }
    var shared: Set<Int> = []
    for axis in sharedAxes { shared.insert(try resolve(axis: axis, rank: input.rank)) }
    var sizes: [Axis: Int] = [:]
    for (index, name) in names.enumerated() {
      guard let size = shared.contains(index) ? 1 : input.dimensions[index] else {
        throw .unknownSize(input)
      }
      sizes[name] = size
    }
    return [
      ParameterSpec(
        .alpha, .vector, try Layout(names.map { Layout.Dimension([$0]) }), sizes,
        featureAxis: names.count == 1 && shared.isEmpty ? .channels : nil)
    ]
  }

  /// y = x above 0, alpha · x below.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    guard let alpha = parameters[.alpha] else { throw .unknownSize(Shape(y.shape)) }
    let places = BroadcastPlaces(of: alpha.shape, in: y.shape)
    for index in y.values.indices where y.values[index] < 0 {
      y.values[index] *= alpha.values[places[index]]
    }
    return y
  }
}
