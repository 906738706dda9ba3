import ModelIR

/// Values shifted and scaled by the mean and the variance of a data set, or back.
public struct Normalization: PixelScalingOperator {
  /// The name in documents.
  public static let name = "Normalization"

  /// The axes along which each place has its own statistics, counted without the batch; negative from the
  /// end, and none for one mean and one variance.
  public let axes: [Int]
  /// Whether normalised values become those of the data set again.
  public let invert: Bool
  /// The means and variances, where they are known beforehand; else they are parameters.
  public let statistics: Statistics?

  /// Means and variances in C order of the axes; fewer than there are places are repeated.
  public struct Statistics: Sendable, Equatable {
    /// What is subtracted.
    public let mean: [Double]
    /// The squares of what is divided by.
    public let variance: [Double]

    /// As many means as variances.
    public init(mean: [Double], variance: [Double]) {
      self.mean = mean
      self.variance = variance
    }
  }

  /// Unless it is the way back.
  package var scalesPixels: Bool { !invert }

  /// By the means, where they are known.
  package var expectsLargePixels: Bool? {
    guard let largest = statistics?.mean.max() else { return nil }
    if largest > 1.5 { return true }
    return largest > 0 ? false : nil
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case axes
    case invert
    case mean
    case variance
  }

  /// A normalisation, with statistics of its own if they are no parameters.
  public init(axes: [Int] = [-1], invert: Bool = false, statistics: Statistics? = nil) {
    self.axes = axes
    self.invert = invert
    self.statistics = statistics
  }

  /// Reads the attributes, by default the last axis and parameters.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    let mean = try attributes.decodeIfPresent([Double].self, forKey: .mean)
    let variance = try attributes.decodeIfPresent([Double].self, forKey: .variance)
    guard mean?.count == variance?.count else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "mean and variance must have the same number of values"))
    }
    self.init(
      axes: try attributes.value(.axes, default: [-1]),
      invert: try attributes.value(.invert, default: false),
      statistics: mean.map { Statistics(mean: $0, variance: variance ?? []) })
  }

  /// Writes the statistics only if they are no parameters.
  public func encode(to encoder: any Encoder) throws {
    var attributes = encoder.container(keyedBy: CodingKeys.self)
    try attributes.encode(axes, forKey: .axes)
    try attributes.encode(invert, forKey: .invert)
    try attributes.encodeIfPresent(statistics?.mean, forKey: .mean)
    try attributes.encodeIfPresent(statistics?.variance, forKey: .variance)
  }

  /// The shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let sizes = try sizes(in: inputs[0])
    if let count = statistics?.mean.count {
      guard let places = Shape(sizes).count else { throw .unknownSize(inputs[0]) }
      guard count > 0, places % count == 0 else { throw .wrongStatistics(count, places: sizes) }
    }
    return inputs[0]
  }

  /// Nothing moves.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Statistics that are attributes stay in their order.
  public var orderDependence: OrderDependence {
    statistics?.mean.count ?? 1 > 1 ? .full : .throughParameters
  }

  /// They are shifted and scaled.
  public var valueEffect: ValueEffect { .computed }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// mean and variance, one value for each place along the axes, unless they are known beforehand.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    guard statistics == nil else { return [] }
    guard !axes.isEmpty else {
      return [ParameterRole.mean, .variance].map {
        ParameterSpec($0, .vector, .c, [.channels: 1])
      }
    }
    let axes = try AxisList(axes).indices(rank: inputs[0].rank)
    return [
      try inputs[0].parameter(.mean, along: axes), try inputs[0].parameter(.variance, along: axes),
    ]
  }

  /// The mean of every value of an input of `shape`, and its deviation, at least 1e-7 as in Keras.
  package func measures<Element: BinaryFloatingPoint & Sendable>(
    of shape: [Int], _ parameters: [ParameterRole: NDArray<Element>]
  ) throws(NetconvError) -> (mean: [Double], deviation: [Double]) {
    let sizes = try sizes(in: Shape(shape)).compactMap(\.self)
    let places = BroadcastPlaces(of: sizes, in: shape)
    let mean = statistics?.mean ?? parameters[.mean]?.values.map { Double($0) } ?? [0]
    let variance = statistics?.variance ?? parameters[.variance]?.values.map { Double($0) } ?? [1]
    let deviation = variance.map { max($0.squareRoot(), 1e-7) }
    let all = 0..<shape.reduce(1, *)
    return (
      all.map { mean[places[$0] % mean.count] }, all.map { deviation[places[$0] % mean.count] }
    )
  }

  /// y = (x - mean) / max(√variance, 1e-7), or y = mean + x · max(√variance, 1e-7).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    _ = try outputShape(for: [Shape(y.shape)])
    let (mean, deviation) = try measures(of: y.shape, parameters)
    for index in y.values.indices {
      y.values[index] =
        invert
        ? mean[index] + y.values[index] * deviation[index]
        : (y.values[index] - mean[index]) / deviation[index]
    }
    return y
  }

  /// The shape of the input, with 1 for each axis that has no statistics of its own.
  private func sizes(in input: Shape) throws(NetconvError) -> [Int?] {
    let own = axes.isEmpty ? [] : try AxisList(axes).indices(rank: input.rank)
    return input.dimensions.indices.map { own.contains($0) ? input.dimensions[$0] : 1 }
  }
}
