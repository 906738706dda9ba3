import MetalPerformanceShaders

/// The numbers of a normalisation: `factor * (x - mean) / sqrt(variance + epsilon) + offset` for each channel.
final class NAMENormalization: NSObject, MPSCNNBatchNormalizationDataSource {
  private let layer: String
  private let channels: Int
  private let variability: Float
  /// Factors, offsets, means and variances, behind one another.
  private let numbers: UnsafeMutablePointer<Float>

  private init(
    _ layer: String, channels: Int, epsilon: Float = 0, factors: [Float], offsets: [Float],
    means: [Float], variances: [Float]
  ) {
    self.layer = layer
    self.channels = channels
    variability = epsilon
    numbers = .allocate(capacity: 4 * channels)
    for (index, kind) in [factors, offsets, means, variances].enumerated() {
      // One number is for all channels.
      for channel in 0..<channels {
        numbers[index * channels + channel] = kind[channel % kind.count]
      }
    }
  }

  deinit { numbers.deallocate() }

  #if parameterNumbers
  /// A parameter of floats.
  private static func floats(
    _ layer: String, _ role: String, _ count: Int, _ parameters: NAMEParameters
  ) throws -> [Float] {
    let tensor = try parameters.tensor(layer, role, [count])
    guard !tensor.isHalf else { throw NAMEError("the \(role) of \(layer) is no floats") }
    return Array(UnsafeBufferPointer(start: tensor.floats, count: count))
  }
  #endif

  #if trainedNormalization
  /// A batch normalisation.
  ///
  /// - Parameters:
  ///   - scale: whether there is a factor, `gamma`.
  ///   - offset: whether there is an offset, `beta`.
  static func trained(
    _ layer: String, channels: Int, epsilon: Float, scale: Bool = true, offset: Bool = true,
    _ parameters: NAMEParameters
  ) throws -> NAMENormalization {
    NAMENormalization(
      layer, channels: channels, epsilon: epsilon,
      factors: scale ? try floats(layer, "gamma", channels, parameters) : [1],
      offsets: offset ? try floats(layer, "beta", channels, parameters) : [0],
      means: try floats(layer, "mean", channels, parameters),
      variances: try floats(layer, "variance", channels, parameters))
  }
  #endif

  #if statistics
  /// A normalisation with the means and variances of a data set, or the way back.
  ///
  /// - Parameter count: 1 if all channels share a mean and a variance.
  static func statistics(
    _ layer: String, channels: Int, count: Int? = nil, invert: Bool = false,
    _ parameters: NAMEParameters
  ) throws -> NAMENormalization {
    let means = try floats(layer, "mean", count ?? channels, parameters)
    let variances = try floats(layer, "variance", count ?? channels, parameters)
    // Keras divides by no deviation below 1e-7.
    let deviations = variances.map { max($0.squareRoot(), 1e-7) }
    return invert
      ? NAMENormalization(
        layer, channels: channels, factors: deviations, offsets: means, means: [0], variances: [1])
      : NAMENormalization(
        layer, channels: channels, factors: deviations.map { 1 / $0 }, offsets: [0], means: means,
        variances: [1])
  }
  #endif

  #if factors
  /// A factor for each channel.
  static func factors(
    _ layer: String, channels: Int, _ parameters: NAMEParameters
  ) throws -> NAMENormalization {
    NAMENormalization(
      layer, channels: channels, factors: try floats(layer, "gamma", channels, parameters),
      offsets: [0], means: [0], variances: [1])
  }
  #endif

  #if constants
  /// `x * scale + offset`, with one number for all channels or one for each.
  static func constants(
    _ layer: String, channels: Int, scale: [Float], offset: [Float]
  ) -> NAMENormalization {
    NAMENormalization(
      layer, channels: channels, factors: scale, offsets: offset, means: [0], variances: [1])
  }
  #endif

  /// Required by the protocol; nobody archives this.
  init?(coder: NSCoder) { nil }

  func numberOfFeatureChannels() -> Int { channels }
  func gamma() -> UnsafeMutablePointer<Float>? { numbers }
  func beta() -> UnsafeMutablePointer<Float>? { numbers + channels }
  func mean() -> UnsafeMutablePointer<Float>? { numbers + 2 * channels }
  func variance() -> UnsafeMutablePointer<Float>? { numbers + 3 * channels }
  func epsilon() -> Float { variability }
  func load() -> Bool { true }
  func purge() {}
  func label() -> String? { layer }

  /// Nothing changes, so that a copy can be the same object.
  func copy(with zone: NSZone? = nil) -> Any { self }
}
