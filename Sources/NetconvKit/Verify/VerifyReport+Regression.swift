import ModelIR

extension VerifyReport {
  /// The errors of predicted quantities.
  public struct Regression: Sendable {
    /// The name of the data set.
    public let dataset: String
    /// The preprocessing of the samples' values, and the reasons for it.
    public let pixels: PixelPreparation
    /// The order of the samples' axes; `nil` if the network accepts only one.
    public let axes: PixelStep.AxisOrder?
    /// The number of samples that were run.
    public let count: Int
    /// The shape of a sample in the file.
    public let sampleShape: [Int]
    /// The shape in which a sample is fed, which may differ by axes of size 1, or be a flat vector.
    public let inputShape: [Int]
    /// The shape of the output for one sample, in the targets' order of axes.
    public let outputShape: [Int]
    /// The shape of one sample's targets in the file, which may differ by a trailing axis of size 1.
    public let targetShape: [Int]
    /// The metric.
    public let metric: Metric
    /// The value of the metric; NaN if an output is not finite.
    public let value: Double
    /// The standard error of a mean over samples; `nil` for `rmse` and `r2`, for a single sample, and if
    /// an output is not finite.
    public let standardError: Double?
    /// The lower and upper bounds of the 95 % interval; `nil` for `r2`, for fewer than 30 samples, and if an output
    /// is not finite.
    public let interval: [Double]?
    /// The number of samples with an output that is infinite or NaN.
    public let nonFinite: Int
    /// True if such samples are allowed.
    let allowsNotFinite: Bool
    /// The requested maximum of an error.
    public let maximumError: Double?
    /// The requested minimum of `r2`.
    public let minimumR2: Double?
    /// True if always predicting the mean of the targets would be no worse, by squared errors.
    public let isNoBetterThanMean: Bool
    /// The predictions with the largest errors, in descending order; at most 10.
    public let worst: [Miss]
    /// Samples per second, excluding reading and planning.
    public let samplesPerSecond: Double

    /// True if the value is as good as requested, or if nothing was requested.
    public var isAccurate: Bool {
      // NaN meets no requirement.
      (maximumError.map { value <= $0 } ?? true) && (minimumR2.map { value >= $0 } ?? true)
    }
    /// True if every prediction is finite, or need not be.
    public var isFinite: Bool { nonFinite == 0 || allowsNotFinite }
    /// True if both ``isAccurate`` and ``isFinite`` are true.
    public var passed: Bool { isAccurate && isFinite }

    /// A value of an output that is far from its target.
    public struct Miss: Sendable, Equatable {
      /// The index of the sample in the data set, from 0.
      public let sample: Int
      /// The index of the value in the sample, from 0 in C order.
      public let place: Int
      /// The target.
      public let target: Double
      /// The value that the model returns.
      public let output: Double
      /// The distance between the two.
      public let error: Double
    }

    init(_ part: Part) {
      let (errors, metric) = (part.errors, part.metric)
      dataset = part.dataset
      pixels = PixelPreparation(part.pixels)
      axes = part.axes
      count = errors.count
      sampleShape = part.sampleShape
      inputShape = part.inputShape
      outputShape = part.outputShape
      targetShape = part.targetShape
      self.metric = metric
      value = errors.value(of: metric)
      standardError = errors.standardError(of: metric)
      interval = errors.interval(of: metric)
      nonFinite = errors.nonFinite
      allowsNotFinite = part.allowsNotFinite
      maximumError = part.maximumError
      minimumR2 = part.minimumR2
      isNoBetterThanMean = errors.areNoBetterThanMean
      worst = errors.worst
      samplesPerSecond = part.seconds > 0 ? Double(count) / part.seconds : 0
    }
  }
}

extension VerifyReport.Regression: Encodable {
  private enum CodingKeys: String, CodingKey {
    case metric
    case value
    case standardError
    case interval
    case sampleShape
    case inputShape
    case outputShape
    case targetShape
    case maximumError
    case minimumR2
    case isNoBetterThanMean
    case worst
  }

  /// Encodes the keys that a classification lacks; the rest is at the top level of the report.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(metric, forKey: .metric)
    try document.encode(value, forKey: .value)
    try document.encodeIfPresent(standardError, forKey: .standardError)
    try document.encodeIfPresent(interval, forKey: .interval)
    try document.encode(sampleShape, forKey: .sampleShape)
    try document.encode(inputShape, forKey: .inputShape)
    try document.encode(outputShape, forKey: .outputShape)
    try document.encode(targetShape, forKey: .targetShape)
    try document.encodeIfPresent(maximumError, forKey: .maximumError)
    try document.encodeIfPresent(minimumR2, forKey: .minimumR2)
    try document.encode(isNoBetterThanMean, forKey: .isNoBetterThanMean)
    try document.encode(worst, forKey: .worst)
  }
}

extension VerifyReport.Regression.Miss: Codable {}
