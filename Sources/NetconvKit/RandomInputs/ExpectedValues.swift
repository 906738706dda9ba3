import Execution
import ModelIR
import Operators

/// The range of an input's values in the training data, as far as the network determines it; see Docs/goldens.md.
struct ExpectedValues: Sendable {
  /// The smallest value: one number, or one for each index of the last axes.
  private(set) var low: [Double]
  /// The largest value, in the same form.
  private(set) var high: [Double]
  /// True if values are integers, as bytes are.
  private(set) var areWhole = false
  /// The preprocessing that is applied before the values are fed.
  private var steps = AffineMap()
  /// The layer that determines the values; `nil` if none does.
  private var layer: String?

  /// Values from 0 to 1.
  static let unit = ExpectedValues(low: [0], high: [1])
  /// Values from 0 to 255.
  static let bytes = ExpectedValues(low: [0], high: [255], areWhole: true)

  /// Values from `low` to `high`.
  init(low: [Double], high: [Double], areWhole: Bool = false) {
    (self.low, self.high, self.areWhole) = (low, high, areWhole)
  }

  /// Derives the values of `input` from the preprocessing that it records, the first layers and their stored
  /// statistics; `nil` if nothing determines them.
  ///
  /// - Parameter model: the model as it was read; folding removes the statistics.
  /// - Throws: any error from reading parameters.
  init?(of input: ModelInput, in model: Model) throws(NetconvError) {
    guard let found = try Self.told(of: input, in: model), found.areFinite else { return nil }
    self = found
  }

  private static func told(
    of input: ModelInput, in model: Model
  ) throws(NetconvError) -> ExpectedValues? {
    if let steps = input.preprocessing { return bytes.applying(steps) }
    var before = AffineMap()
    var rescaling: String?
    var name = input.name
    while let layer = model.layers.first(where: { $0.inputs == [name] }) {
      if let operation = layer.operation as? any RescalingOperator {
        before.append(scale: operation.scale, offset: operation.offset)
        rescaling = rescaling ?? layer.name
      } else if let (mean, deviation) = try layer.inputStatistics(as: input.shape) {
        return before.undone(from: Self(mean: mean, deviation: deviation)).told(by: layer.name)
      } else if before.isIdentity, let found = try suited(to: layer, in: model) {
        return found.told(by: layer.name)
      } else if layer.operation.valueEffect == .computed {
        break
      }
      name = layer.name
    }
    return before.isIdentity ? nil : before.expected.told(by: rescaling)
  }

  private func told(by layer: String?) -> ExpectedValues {
    var told = self
    told.layer = layer
    return told
  }

  /// Values within two standard deviations of means.
  private init(mean: [Double], deviation: [Double]) {
    low = zip(mean, deviation).map { $0 - 2 * $1 }
    high = zip(mean, deviation).map { $0 + 2 * $1 }
  }

  /// Returns the value at an index of an input, for a number in [0, 1).
  func value(_ fraction: Float, at index: Int) -> Float {
    let (low, high) = (low[index % low.count], high[index % high.count])
    let value =
      areWhole
      ? (low + (high - low + 1) * Double(fraction)).rounded(.down)
      : low + (high - low) * Double(fraction)
    return Float(steps.value(of: value, at: index))
  }

  /// True if all values are finite in float32.
  private var areFinite: Bool {
    (0..<max(low.count, high.count)).allSatisfy {
      value(0, at: $0).isFinite && value(1, at: $0).isFinite
    }
  }

  /// A human-readable description of the values.
  var words: String {
    guard steps.isIdentity else { return "bytes, prepared as the network records" }
    return Self.words(
      low.min() ?? 0, high.max() ?? 1, areWhole: areWhole, for: layer)
  }

  /// Returns a description such as `whole numbers from 0 to 255, as 'rescaling' expects them`.
  static func words(_ low: Double, _ high: Double, areWhole: Bool, for layer: String?) -> String {
    let ends = [low, high].map { $0 == $0.rounded() ? fixed($0, 0) : significant($0) }
    return "\(areWhole ? "whole numbers" : "values") from \(ends[0]) to \(ends[1])"
      + (layer.map { ", as \(quoted($0)) expects them" } ?? "")
  }

  /// Returns these values after the steps that act on each value by itself.
  private func applying(_ steps: [PixelStep]) -> ExpectedValues {
    var map = AffineMap()
    for step in steps {
      switch step {
      case .scale(let factors): map.append(scale: factors, offset: [0])
      case .offset(let numbers): map.append(scale: [1], offset: numbers)
      case .mean(let means): map.append(scale: [1], offset: means.map { -$0 })
      case .deviation(let divisors): map.append(scale: divisors.map { 1 / $0 }, offset: [0])
      case .invert(let largest): map.append(scale: [-1], offset: [largest])
      default: break
      }
    }
    var applied = self
    applied.steps = map
    return applied
  }
}

// MARK: - Statistics after the first layer

extension ExpectedValues {
  /// The usual ranges of inputs, with the mean and standard deviation of their values.
  private static let usual: [(values: ExpectedValues, mean: Double, deviation: Double)] = [
    (.unit, 0.5, 0.29), (ExpectedValues(low: [-1], high: [1]), 0, 0.58),
    (ExpectedValues(low: [-2], high: [2]), 0, 1.15), (.bytes, 127.5, 73.6),
    (ExpectedValues(low: [-128], high: [127]), 0, 73.6),
  ]

  /// Returns the usual range for which the sums in `layer` best match the statistics of the normalisation after it;
  /// `nil` if none matches much better than values from 0 to 1.
  fileprivate static func suited(
    to layer: Layer, in model: Model
  ) throws(NetconvError) -> ExpectedValues? {
    guard let summing = layer.operation as? any SummingOperator, summing.activation == .linear,
      type(of: summing).outputAxes == [.outputChannels],
      let reader = model.layers.first(where: { $0.inputs == [layer.name] }),
      let (mean, deviation) = try reader.inputStatistics(as: layer.outputShape)
    else { return nil }
    let loaded = try layer.loadParameters()
    guard let kernel = loaded[type(of: summing).summedKernel],
      kernel.shape.last == mean.count, mean.count == deviation.count
    else { return nil }
    let bias = loaded[.bias]?.values.map { Double($0) } ?? [0]
    let sums = ChannelMoments(kernel)
    let distances = usual.map { usual in
      let all = mean.indices.map { channel in
        let center = usual.mean * sums.sum[channel] + bias[channel % bias.count] - mean[channel]
        let variance = usual.deviation * usual.deviation * sums.squares[channel]
        let stored = deviation[channel] * deviation[channel]
        let ratio = (center * center + variance) / max(stored, .leastNormalMagnitude)
        return abs(max(ratio, .leastNormalMagnitude).logarithm)
      }
      return all.reduce(0, +) / Double(max(1, all.count))
    }
    guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }),
      distances[best] + 2 < distances[0]
    else { return nil }
    return usual[best].values
  }

  /// Sums of a kernel's values, and of their squares, over all axes but the last, the output channels.
  private struct ChannelMoments {
    var sum: [Double]
    var squares: [Double]

    init(_ kernel: NDArray<Float>) {
      let channels = kernel.shape.last ?? 1
      sum = Array(repeating: 0, count: channels)
      squares = sum
      for (index, value) in kernel.values.enumerated() {
        sum[index % channels] += Double(value)
        squares[index % channels] += Double(value) * Double(value)
      }
    }
  }
}

extension Double {
  /// The logarithm to base 2, rounded down: enough to tell bytes from fractions.
  fileprivate var logarithm: Double { Double(exponent) }
}

extension Layer {
  /// Returns the mean and standard deviation of the layer's input, if it stores them: for each value of `shape`, for
  /// each index of its last axis, or for all values.
  fileprivate func inputStatistics(
    as shape: Shape
  ) throws(NetconvError) -> (mean: [Double], deviation: [Double])? {
    guard let known = inputShapes.first?.known,
      let operation = operation as? any StatisticsOperator,
      let (mean, deviation) = try operation.inputStatistics(of: known, try loadParameters()),
      !mean.isEmpty, mean.count == deviation.count, (mean + deviation).allSatisfy(\.isFinite)
    else { return nil }
    let isOfLastAxis = mean.count == known.last && known.last == shape.dimensions.last
    if isOfLastAxis || known == shape.known { return (mean, deviation) }
    // Layers in between move values, so all share one mean and one deviation.
    let count = Double(mean.count)
    let center = mean.reduce(0, +) / count
    let squares = zip(mean, deviation).reduce(0) { sum, pair in
      sum + (pair.0 - center) * (pair.0 - center) + pair.1 * pair.1
    }
    return ([center], [(squares / count).squareRoot()])
  }
}

// MARK: - Rescaling

/// A scale and an offset of values, the same for all or one for each channel.
private struct AffineMap: Sendable {
  private var scale: [Double] = [1]
  private var offset: [Double] = [0]

  var isIdentity: Bool { scale == [1] && offset == [0] }

  /// Appends a scale and an offset, which are applied to the result.
  mutating func append(scale factors: [Double], offset numbers: [Double]) {
    let count = max(scale.count, offset.count, factors.count, numbers.count)
    (scale, offset) = (
      (0..<count).map { scale[$0 % scale.count] * factors[$0 % factors.count] },
      (0..<count).map {
        offset[$0 % offset.count] * factors[$0 % factors.count] + numbers[$0 % numbers.count]
      }
    )
  }

  /// Returns the result for a value at an index of an array.
  func value(of value: Double, at index: Int) -> Double {
    scale[index % scale.count] * value + offset[index % offset.count]
  }

  /// Returns the range of inputs for which the map returns `values`; that of bytes if it is close.
  func undone(from values: ExpectedValues) -> ExpectedValues {
    guard !isIdentity, !scale.contains(0) else { return values }
    let ends = [values.low, values.high].map { numbers in
      (0..<max(numbers.count, scale.count)).map { index in
        (numbers[index % numbers.count] - offset[index % offset.count])
          / scale[index % scale.count]
      }
    }
    let low = zip(ends[0], ends[1]).map { min($0, $1) }
    let high = zip(ends[0], ends[1]).map { max($0, $1) }
    let center = (low + high).reduce(0, +) / Double(2 * low.count)
    guard (5...250).contains(center), low.allSatisfy({ $0 < 250 }), high.allSatisfy({ $0 > 5 }),
      (low + high).allSatisfy({ (-255...510).contains($0) })
    else { return ExpectedValues(low: low, high: high) }
    return ExpectedValues(
      low: low.map { max(0, $0.rounded(.up)) }, high: high.map { min(255, $0.rounded(.down)) },
      areWhole: true)
  }

  /// The range that the map alone suggests for its inputs: values that it maps to 0 to 1, or around 0.
  var expected: ExpectedValues {
    let size = scale.map(\.magnitude).reduce(0, +) / Double(scale.count)
    guard size > 0, size.isFinite, !scale.contains(0) else { return .unit }
    let center = zip(scale, offset).reduce(0) { $0 - $1.1 / $1.0 } / Double(scale.count)
    if center == 0 {
      if (0.3...6).contains(255 * size) { return .bytes }
      return size >= 0.3 ? .unit : ExpectedValues(low: [0], high: [1 / size])
    }
    if (0.05...1.5).contains(center) { return .unit }
    if (1.5...255).contains(center) { return .bytes }
    return undone(from: ExpectedValues(low: [-1], high: [1]))
  }
}
