import Datasets
import ModelIR

/// The mean of values and the sum of their squared deviations from it, in one pass.
///
/// Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and products", 1962.
struct Moments: Sendable {
  /// The number of values so far.
  private(set) var count = 0
  /// The mean of the values.
  private(set) var mean = 0.0
  /// The sum of squared deviations from the mean.
  private(set) var squares = 0.0

  /// Adds a value.
  mutating func note(_ value: Double) {
    count += 1
    let distance = value - mean
    mean += distance / Double(count)
    squares += distance * (value - mean)
  }
}

/// The spread of the targets of all samples around their means; every shard stores it.
struct TargetSpread: Sendable, Codable {
  /// The number of samples.
  let count: Int
  /// The sum of squared deviations of each output's targets from their mean.
  let squares: [Double]
  /// The sum over all outputs.
  let total: Double

  /// Returns the spread of the targets of the first `count` samples, and the first output whose targets are constant.
  ///
  /// - Parameter keepsOutputs: true if ``squares`` is needed.
  static func of(
    _ targets: Targets, _ count: Int, keepsOutputs: Bool
  ) -> (spread: TargetSpread, constant: (place: Int, value: Double)?) {
    let width = targets.size
    var moments = Array(repeating: Moments(), count: width)
    for index in 0..<count * width { moments[index % width].note(targets.values[index]) }
    let squares = moments.map(\.squares)
    return (
      TargetSpread(
        count: count, squares: keepsOutputs ? squares : [], total: squares.reduce(0, +)),
      moments.firstIndex { $0.squares == 0 }.map { ($0, moments[$0].mean) }
    )
  }
}

/// The errors of predicted quantities, in sums that do not depend on how samples are grouped.
struct RegressionErrors: Sendable, Codable {
  /// The number of values per sample.
  let width: Int
  /// The spread of the targets of all samples.
  let targets: TargetSpread
  /// The number of samples with an output that is infinite or NaN.
  private(set) var nonFinite = 0
  /// The number of samples.
  private(set) var count = 0
  /// The predictions with the largest errors, in descending order.
  private(set) var worst: [VerifyReport.Regression.Miss] = []
  /// The mean absolute error of each sample.
  private var absolute = ExactMoments()
  /// The mean squared error of each sample.
  private var squared = ExactMoments()
  /// The sum of the squared errors of all outputs.
  private var residual = ExactSum()
  /// The sum of the squared errors of each output, if it is needed.
  private var residuals: [ExactSum]

  /// The maximum number of misses that are kept.
  static let missLimit = 10
  /// The smallest number of samples for which the normal distribution describes the error of a mean.
  static let intervalLimit = 30

  /// Creates empty sums for `width` values per sample.
  init(width: Int, targets: TargetSpread) {
    self.width = width
    self.targets = targets
    residuals = Array(repeating: ExactSum(), count: targets.squares.count)
  }

  /// Adds the outputs of a model for a sample, and their targets.
  mutating func note(_ sample: Int, _ outputs: ArraySlice<Float>, _ wanted: ArraySlice<Double>) {
    count += 1
    guard outputs.allSatisfy(\.isFinite) else {
      nonFinite += 1
      for (place, (output, target)) in zip(outputs, wanted).enumerated() {
        keep(sample, place, output, target, (Double(output) - target).magnitude)
      }
      return
    }
    var sums = (absolute: 0.0, squared: 0.0)
    for (place, (output, target)) in zip(outputs, wanted).enumerated() {
      let error = Double(output) - target
      sums.absolute += error.magnitude
      sums.squared += error * error
      residual.add(error * error)
      if !residuals.isEmpty { residuals[place].add(error * error) }
      keep(sample, place, output, target, error.magnitude)
    }
    absolute.note(sums.absolute / Double(width))
    squared.note(sums.squared / Double(width))
  }

  private mutating func keep(
    _ sample: Int, _ place: Int, _ output: Float, _ target: Double, _ error: Double
  ) {
    // Errors that are not finite are only counted; of equal errors the first is kept.
    guard error.isFinite, error > 0 else { return }
    keep(.init(sample: sample, place: place, target: target, output: Double(output), error: error))
  }

  private mutating func keep(_ miss: VerifyReport.Regression.Miss) {
    guard worst.count < Self.missLimit || miss.error > worst[worst.count - 1].error else { return }
    let next = worst.firstIndex { $0.error < miss.error } ?? worst.count
    worst.insert(miss, at: next)
    if worst.count > Self.missLimit { worst.removeLast() }
  }

  /// Adds the errors of the samples that follow these, measured by another run.
  mutating func add(_ other: RegressionErrors) {
    count += other.count
    nonFinite += other.nonFinite
    absolute.add(other.absolute)
    squared.add(other.squared)
    residual.add(other.residual)
    for (place, sum) in other.residuals.enumerated() { residuals[place].add(sum) }
    for miss in other.worst { keep(miss) }
  }

  /// True if the sums are consistent with `samples` samples and the outputs of `other`.
  func isValid(for samples: Int, like other: RegressionErrors) -> Bool {
    count == samples && (0...count).contains(nonFinite) && width > 0 && width == other.width
      && absolute.count == count - nonFinite && squared.count == absolute.count
      && residuals.count == targets.squares.count && residuals.count == other.residuals.count
      && worst.count <= Self.missLimit && worst.allSatisfy { (0..<width).contains($0.place) }
  }
}

// MARK: - Results

extension RegressionErrors {
  /// Returns the value of a metric of quantities; NaN if an output is not finite.
  func value(of metric: Metric) -> Double {
    guard nonFinite == 0 else { return .nan }
    return switch metric {
    case .mae: absolute.mean
    case .mse: squared.mean
    case .rmse: squared.mean.squareRoot()
    case .r2, .accuracy: determination
    }
  }

  /// The mean coefficient of determination over all outputs.
  private var determination: Double {
    zip(residuals, targets.squares).reduce(0) { sum, output in
      sum + (1 - output.0.value / Double(count) / (output.1 / Double(targets.count)))
    } / Double(width)
  }

  /// Returns the standard error of a metric that is a mean over samples; `nil` for other metrics, and if an output is
  /// not finite.
  func standardError(of metric: Metric) -> Double? {
    guard nonFinite == 0 else { return nil }
    return switch metric {
    case .mae: absolute.standardError
    case .mse: squared.standardError
    case .rmse, .r2, .accuracy: nil
    }
  }

  /// Returns the lower and upper bounds of the 95 % interval of an error, by the normal distribution of the mean over
  /// samples; `nil` for other metrics, and for too few samples.
  func interval(of metric: Metric) -> [Double]? {
    guard metric.isError, nonFinite == 0, absolute.count >= Self.intervalLimit else { return nil }
    let mean = metric == .mae ? absolute : squared
    guard let error = mean.standardError else { return nil }
    let half = WilsonInterval.quantile * error
    let ends = [max(0, mean.mean - half), mean.mean + half]
    return metric == .rmse ? ends.map { $0.squareRoot() } : ends
  }

  /// True if always predicting the mean of the targets would be no worse, by squared errors.
  ///
  /// False if all targets are the same, or an output is not finite.
  var areNoBetterThanMean: Bool {
    nonFinite == 0 && targets.total > 0 && residual.value >= targets.total
  }
}
