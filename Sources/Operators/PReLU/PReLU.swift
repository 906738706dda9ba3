import ModelIR

/// A rectifier with learned slopes below 0.
public struct PReLU: Operator {
  /// The operator's name in documents.
  public static let name = "PReLU"

  /// The axes along which all values share a slope, not counting the batch; negative values count from the end.
  public let sharedAxes: [Int]

  /// Creates a rectifier that shares slopes along `sharedAxes`.
  public init(sharedAxes: [Int] = []) {
    self.sharedAxes = sharedAxes
  }

  /// True: slopes are required.
  public static var needsParameters: Bool { true }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case sharedAxes
  }

  /// Decodes the attribute; by default each value has its own slope.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(sharedAxes: try attributes.value(.sharedAxes, default: []))
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Each value has its own slope.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Negative values are scaled.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    for axis in sharedAxes { _ = try resolve(axis: axis, rank: inputs[0].rank) }
    return inputs[0]
  }

  /// Returns the slopes, alpha, with the shape of the input and size 1 for the shared axes.
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

  /// y = x for positive x, alpha · x otherwise.
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
