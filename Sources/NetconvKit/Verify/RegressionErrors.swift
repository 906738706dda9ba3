import ModelIR

/// The mean of numbers and the sum of their squared distances from it, in one pass.
///
/// Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and products", 1962.
struct Moments: Sendable {
  /// Numbers so far.
  private(set) var count = 0
  /// Their mean.
  private(set) var mean = 0.0
  /// The sum of their squared distances from the mean.
  private(set) var squares = 0.0

  /// Takes in a number.
  mutating func note(_ value: Double) {
    count += 1
    let distance = value - mean
    mean += distance / Double(count)
    squares += distance * (value - mean)
  }

  /// The standard error of the mean; `nil` of fewer than two numbers.
  var standardError: Double? {
    count < 2 ? nil : (squares / Double(count - 1) / Double(count)).squareRoot()
  }
}

/// How far predictions of quantities are from their targets, in one pass.
struct RegressionErrors: Sendable {
  /// Values per sample.
  let width: Int
  /// Samples with an output that is infinite or not a number.
  private(set) var nonFinite = 0
  /// The predictions that are farthest off, the farthest first.
  private(set) var worst: [VerifyReport.Regression.Miss] = []
  /// The mean absolute error of each sample.
  private var absolute = Moments()
  /// The mean squared error of each sample.
  private var squared = Moments()
  /// The squared errors of each output.
  private var residuals: [Moments]
  /// The targets of each output.
  private var targets: [Moments]

  /// The most misses that are kept.
  static let missLimit = 10
  /// The fewest samples for which the normal distribution says how far a mean may be off.
  static let intervalLimit = 30

  /// No samples, of `width` values each.
  init(width: Int) {
    self.width = width
    residuals = Array(repeating: Moments(), count: width)
    targets = residuals
  }

  /// Takes in what a model gives for a sample, and what it should give.
  mutating func note(_ sample: Int, _ outputs: ArraySlice<Float>, _ wanted: ArraySlice<Double>) {
    if !outputs.allSatisfy(\.isFinite) { nonFinite += 1 }
    var sums = (absolute: 0.0, squared: 0.0)
    for (place, (output, target)) in zip(outputs, wanted).enumerated() {
      let error = Double(output) - target
      sums.absolute += error.magnitude
      sums.squared += error * error
      residuals[place].note(error * error)
      targets[place].note(target)
      keep(sample, place, output, target, error.magnitude)
    }
    absolute.note(sums.absolute / Double(width))
    squared.note(sums.squared / Double(width))
  }

  private mutating func keep(
    _ sample: Int, _ place: Int, _ output: Float, _ target: Double, _ error: Double
  ) {
    // What is not finite is counted, and of equals the first is kept.
    guard error.isFinite, error > 0 else { return }
    guard worst.count < Self.missLimit || error > worst[worst.count - 1].error else { return }
    let next = worst.firstIndex { $0.error < error } ?? worst.count
    worst.insert(
      .init(sample: sample, place: place, target: target, output: Double(output), error: error),
      at: next)
    if worst.count > Self.missLimit { worst.removeLast() }
  }
}

// MARK: - What they come to

extension RegressionErrors {
  /// The first output whose targets are all the same, and that target; `nil` if there is none.
  var constantTarget: (place: Int, value: Double)? {
    targets.firstIndex { $0.squares == 0 }.map { ($0, targets[$0].mean) }
  }

  /// The value of a metric of quantities; not a number where an output is none.
  func value(of metric: Metric) -> Double {
    guard nonFinite == 0 else { return .nan }
    return switch metric {
    case .mae: absolute.mean
    case .mse: squared.mean
    case .rmse: squared.mean.squareRoot()
    case .r2, .accuracy: determination
    }
  }

  /// The mean coefficient of determination of all outputs.
  private var determination: Double {
    zip(residuals, targets).reduce(0) { sum, output in
      sum + (1 - output.0.mean / (output.1.squares / Double(output.1.count)))
    } / Double(width)
  }

  /// The standard error of a metric that is a mean over samples; `nil` for others, and where an output is not finite.
  func standardError(of metric: Metric) -> Double? {
    guard nonFinite == 0 else { return nil }
    return switch metric {
    case .mae: absolute.standardError
    case .mse: squared.standardError
    case .rmse, .r2, .accuracy: nil
    }
  }

  /// The 95 % interval of an error, lower and upper end, by the normal distribution of the mean over samples; `nil` for
  /// other metrics, and for too few samples.
  func interval(of metric: Metric) -> [Double]? {
    guard metric.isError, nonFinite == 0, absolute.count >= Self.intervalLimit else { return nil }
    let mean = metric == .mae ? absolute : squared
    guard let error = mean.standardError else { return nil }
    let half = WilsonInterval.quantile * error
    let ends = [max(0, mean.mean - half), mean.mean + half]
    return metric == .rmse ? ends.map { $0.squareRoot() } : ends
  }

  /// Whether always giving the mean of the targets would be no worse, by squared errors.
  ///
  /// False where all targets are the same, or an output is not finite.
  var areNoBetterThanMean: Bool {
    let found = residuals.reduce(0) { $0 + $1.mean * Double($1.count) }
    let spread = targets.reduce(0) { $0 + $1.squares }
    return nonFinite == 0 && spread > 0 && found >= spread
  }
}
