import ModelIR

extension VerifyReport {
  /// How far predictions of quantities are from their targets.
  public struct Regression: Sendable {
    /// What the model was run on.
    public let dataset: String
    /// What was done to the samples' values, and why.
    public let pixels: PixelPreparation
    /// Which order the axes of the samples have; `nil` where the network takes one alone.
    public let axes: PixelStep.AxisOrder?
    /// Samples that were run.
    public let count: Int
    /// The shape of one sample in the file.
    public let sampleShape: [Int]
    /// The shape that a sample is fed in, which may differ by axes of one, or be a plain vector.
    public let inputShape: [Int]
    /// The shape of the output for one sample, in the order of axes that the targets have.
    public let outputShape: [Int]
    /// The shape of one sample's targets in the file, which may differ by an axis of one at the end.
    public let targetShape: [Int]
    /// What was measured.
    public let metric: Metric
    /// Its value; not a number if an output is none.
    public let value: Double
    /// The standard error of a mean over samples; `nil` for `rmse` and `r2`, for a single sample, and if
    /// an output is not finite.
    public let standardError: Double?
    /// The 95 % interval, lower and upper end; `nil` for `r2`, for fewer than 30 samples, and if an output is not finite.
    public let interval: [Double]?
    /// Samples with an output that is infinite or not a number.
    public let nonFinite: Int
    /// Whether such samples are allowed.
    let allowsNotFinite: Bool
    /// What was asked for.
    public let maximumError: Double?
    /// What was asked for.
    public let minimumR2: Double?
    /// Whether always giving the mean of the targets would be no worse, by squared errors.
    public let isNoBetterThanMean: Bool
    /// The predictions that are farthest off, the farthest first; at most 10.
    public let worst: [Miss]
    /// Samples per second, without reading and planning.
    public let samplesPerSecond: Double

    /// Whether the value is what was asked for; true if nothing was.
    public var isAccurate: Bool {
      // Not a number is neither.
      (maximumError.map { value <= $0 } ?? true) && (minimumR2.map { value >= $0 } ?? true)
    }
    /// Whether every prediction is finite, or need not be.
    public var isFinite: Bool { nonFinite == 0 || allowsNotFinite }
    /// Whether both hold.
    public var passed: Bool { isAccurate && isFinite }

    /// A value of an output that is far from its target.
    public struct Miss: Sendable, Equatable {
      /// Which sample of the data set, counted from 0.
      public let sample: Int
      /// Which of the sample's values, counted from 0 in C order.
      public let place: Int
      /// What it should be.
      public let target: Double
      /// What it is.
      public let output: Double
      /// How far the two are apart.
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

  /// Writes what no classification has; the rest is at the top of the report.
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
