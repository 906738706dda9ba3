import ModelIR

/// Values normalised by the mean and variance of a data set, or the inverse.
public struct Normalization: PixelScalingOperator {
  /// The operator's name in documents.
  public static let name = "Normalization"

  /// The axes along which each index has its own statistics, not counting the batch; negative values count from the
  /// end, and no axes mean a single mean and variance.
  public let axes: [Int]
  /// True for the inverse: normalised values are converted back to the range of the data set.
  public let invert: Bool
  /// The means and variances, if they are attributes rather than parameters.
  public let statistics: Statistics?

  /// Means and variances in row-major order of the axes; if there are fewer than indices, they are repeated.
  public struct Statistics: Sendable, Equatable {
    /// The values to subtract.
    public let mean: [Double]
    /// The squares of the divisors.
    public let variance: [Double]

    /// Creates statistics with the same number of means and variances.
    public init(mean: [Double], variance: [Double]) {
      self.mean = mean
      self.variance = variance
    }
  }

  /// True unless the operator is the inverse.
  package var scalesPixels: Bool { !invert }

  /// Inferred from the means, if they are attributes.
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

  /// Creates a normalisation; without `statistics`, they are parameters.
  public init(axes: [Int] = [-1], invert: Bool = false, statistics: Statistics? = nil) {
    self.axes = axes
    self.invert = invert
    self.statistics = statistics
  }

  /// Decodes the attributes; the defaults are the last axis and statistics as parameters.
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

  /// Encodes the statistics unless they are parameters.
  public func encode(to encoder: any Encoder) throws {
    var attributes = encoder.container(keyedBy: CodingKeys.self)
    try attributes.encode(axes, forKey: .axes)
    try attributes.encode(invert, forKey: .invert)
    try attributes.encodeIfPresent(statistics?.mean, forKey: .mean)
    try attributes.encodeIfPresent(statistics?.variance, forKey: .variance)
  }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let sizes = try sizes(in: inputs[0])
    if let count = statistics?.mean.count {
      guard let places = Shape(sizes).count else { throw .unknownSize(inputs[0]) }
      guard count > 0, places % count == 0 else { throw .wrongStatistics(count, places: sizes) }
    }
    return inputs[0]
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Statistics that are attributes have a fixed order.
  public var orderDependence: OrderDependence {
    statistics?.mean.count ?? 1 > 1 ? .full : .throughParameters
  }

  /// Values are shifted and scaled.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns mean and variance, with one value for each index along the axes, unless they are attributes.
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

  /// Returns the mean for every value of an input of `shape`, and the standard deviation, at least 1e-7 as in Keras.
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

  /// Returns the shape of the input, with size 1 for each axis without its own statistics.
  private func sizes(in input: Shape) throws(NetconvError) -> [Int?] {
    let own = axes.isEmpty ? [] : try AxisList(axes).indices(rank: input.rank)
    return input.dimensions.indices.map { own.contains($0) ? input.dimensions[$0] : 1 }
  }
}

extension NetconvError {
  fileprivate static func wrongStatistics(_ count: Int, places: [Int?]) -> NetconvError {
    NetconvError(
      .badData,
      "mean has \(count) numbers, expected the size of its axes: \(Shape(places))")
  }
}
