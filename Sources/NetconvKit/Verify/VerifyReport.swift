import ModelIR

/// How well a model does on labelled images.
public struct VerifyReport: Report {
  /// What was verified, as it was named.
  public let path: String
  /// What it was run on.
  public let dataset: String
  /// The engine that ran it.
  public let engine: String
  /// Images that were run.
  public let count: Int
  /// Images whose class was recognised.
  public let correct: Int
  /// ``correct`` over ``count``.
  public let accuracy: Double
  /// The 95 % Wilson interval, lower and upper end.
  public let interval: [Double]
  /// What was asked for.
  public let minimumAccuracy: Double?
  /// Whether the accuracy is what was asked for; true if nothing was.
  public let passed: Bool
  /// Images per second, without reading and planning.
  public let imagesPerSecond: Double
  /// Tensors whose SHA-256 was compared with the manifest, the archive's included.
  public let checkedTensors: Int
  /// Row: the class of the label; column: the class that was predicted; `nil` for more classes than
  /// ``confusionLimit``.
  public let confusion: [[Int]]?

  /// The most classes for which a square of them is kept.
  public static let confusionLimit = 1000

  init(
    _ request: VerifyRequest, dataset: String, counts: PredictionCounts, seconds: Double,
    checkedTensors: Int
  ) {
    path = request.path
    self.dataset = dataset
    engine = request.engine.rawValue
    let accuracy: Double
    count = counts.count
    correct = counts.correct
    accuracy = Double(correct) / Double(count)
    self.accuracy = accuracy
    let wilson = WilsonInterval(successes: correct, of: count)
    interval = [wilson.lower, wilson.upper]
    minimumAccuracy = request.minimumAccuracy
    passed = request.minimumAccuracy.map { accuracy >= $0 } ?? true
    imagesPerSecond = seconds > 0 ? Double(count) / seconds : 0
    self.checkedTensors = checkedTensors
    confusion = counts.confusion
  }
}
