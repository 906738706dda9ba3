import Documents
import Files
import ModelIR
import Readers

/// The results of a verification, as counts and sums that can be added to those of other samples.
struct VerifyParts: Sendable, Codable {
  let path: String
  let engine: String
  let precision: String
  let checkedTensors: Int
  let checkedContainers: [String]
  /// The file that the model was converted from, with its path if it is known; `nil` if it was not converted.
  let convertedFrom: String?
  /// True if the graph was described by hand.
  let isDescribed: Bool
  /// The output that was evaluated, if the network has several; otherwise `nil`.
  let output: String?
  /// The outputs that were not evaluated.
  let notJudged: [String]?
  var classification: VerifyReport.Classification.Part?
  var regression: VerifyReport.Regression.Part?
  var sweep: VerifyReport.Sweep.Part?
  /// The comparison of layers, on the first samples only.
  var comparison: ComparisonReport?
  /// The comparisons with test vectors in files; `nil` if there are none.
  var testVectors: [TestVectorReport]?
  var agreement: Agreement.Part?

  /// Creates empty results.
  init(_ request: VerifyRequest, _ verified: VerifiedModel) {
    path = request.path
    engine = request.engine.rawValue
    precision = request.precision.rawValue
    checkedTensors = verified.checked.tensors
    checkedContainers = verified.checked.containers
    isDescribed = verified.source?.isRawBlobs ?? false
    convertedFrom = verified.conversion?.sourcePath(beside: request.path)
    let outputs = verified.model.outputs
    output = outputs.count > 1 ? request.output : nil
    notJudged = output.map { judged in outputs.filter { $0 != judged } }
  }

  /// Adds the results of the samples that follow these.
  ///
  /// - Precondition: ``isValid(for:like:)``.
  mutating func add(_ other: VerifyParts) {
    if let part = other.classification { classification?.add(part) }
    if let part = other.regression { regression?.add(part) }
    if let part = other.sweep { sweep?.add(part) }
    if let part = other.agreement { agreement?.add(part) }
  }

  /// True if these can be the results of `samples` samples, in a run with the same kinds of results as `other`.
  func isValid(for samples: Int, like other: VerifyParts) -> Bool {
    let (predictions, isTooLarge) = samples.multipliedReportingOverflow(
      by: other.classification?.counts.placeCount ?? 1)
    guard !isTooLarge else { return false }
    switch (classification, other.classification) {
    case (nil, nil): break
    case (let part?, let other?):
      guard part.isValid(for: samples, like: other) else { return false }
    default: return false
    }
    switch (regression, other.regression) {
    case (nil, nil): break
    case (let part?, let other?):
      guard part.isValid(for: samples, like: other) else { return false }
    default: return false
    }
    switch (sweep, other.sweep) {
    case (nil, nil): break
    case (let part?, let other?):
      guard part.isValid(for: predictions, like: other) else { return false }
    default: return false
    }
    switch (agreement, other.agreement) {
    case (nil, nil): break
    case (let part?, _?): guard part.isValid(for: predictions) else { return false }
    default: return false
    }
    return classification != nil || regression != nil
  }
}

extension VerifyReport.Classification {
  /// The results on some of the images.
  struct Part: Sendable, Codable {
    private(set) var counts: PredictionCounts
    let dataset: String
    let pixels: PixelPreparation.Part
    private(set) var pictures: [VerifyReport.PictureGroup]?
    let isRowByRow: Bool
    let minimumAccuracy: Double?
    let allowsNotFinite: Bool
    private(set) var seconds: Double
    /// The names of the classes; empty if they are unknown.
    let classes: [String]
    /// The first misclassified samples; `nil` if a sample has several classes.
    private(set) var wrong: [WrongPrediction]?
    private let order: String?
    var axes: PixelStep.AxisOrder? { order.flatMap(PixelStep.AxisOrder.init) }
    /// The value above which a single output means class 1.
    let threshold: ClassThreshold?

    init(
      counts: PredictionCounts, dataset: String, pixels: PixelPreparation.Part,
      pictures: [VerifyReport.PictureGroup]?, isRowByRow: Bool, axes: PixelStep.AxisOrder?,
      threshold: ClassThreshold?, minimumAccuracy: Double?, allowsNotFinite: Bool, seconds: Double,
      classes: [String],
      wrong: [WrongPrediction]?
    ) {
      (self.classes, self.wrong, self.threshold) = (classes, wrong, threshold)
      (self.counts, self.dataset, self.pixels) = (counts, dataset, pixels)
      (self.pictures, self.isRowByRow, order) = (pictures, isRowByRow, axes?.rawValue)
      (self.minimumAccuracy, self.allowsNotFinite) = (minimumAccuracy, allowsNotFinite)
      self.seconds = seconds
    }

    mutating func add(_ other: Part) {
      counts.add(other.counts)
      seconds += other.seconds
      pictures = pictures.map { [VerifyReport.PictureGroup]($0, joinedBy: other.pictures ?? []) }
      wrong = wrong.map { Array(($0 + (other.wrong ?? [])).prefix(WrongPrediction.limit)) }
    }

    func isValid(for samples: Int, like other: Part) -> Bool {
      let pictured = pictures?.reduce(0) { $0 &+ max(0, $1.count) }
      return counts.isValid(for: samples, like: other.counts) && isTime(seconds)
        && (pictures == nil) == (other.pictures == nil) && (wrong == nil) == (other.wrong == nil)
        && classes == other.classes && threshold == other.threshold
        && wrong?.count ?? 0 <= max(0, counts.count - counts.correct)
        && pictured ?? samples == samples
    }
  }
}

extension [VerifyReport.PictureGroup] {
  /// Merges groups of pictures, largest first; `others` are of later pictures.
  init(_ groups: Self, joinedBy others: Self) {
    var joined = groups
    for group in others {
      if let index = joined.firstIndex(where: { $0.text == group.text }) {
        let old = joined[index]
        joined[index] = .init(text: old.text, count: old.count + group.count, first: old.first)
      } else {
        joined.append(group)
      }
    }
    self = joined.byFrequency
  }

  /// The groups, largest first; groups of equal size are ordered by text.
  var byFrequency: Self { sorted { ($1.count, $0.text) < ($0.count, $1.text) } }
}

extension VerifyReport.Regression {
  /// The errors of predicted quantities for some of the samples.
  struct Part: Sendable, Codable {
    private(set) var errors: RegressionErrors
    let metric: Metric
    let dataset: String
    let pixels: PixelPreparation.Part
    let sampleShape: [Int]
    let inputShape: [Int]
    let outputShape: [Int]
    let targetShape: [Int]
    let maximumError: Double?
    let minimumR2: Double?
    let allowsNotFinite: Bool
    private(set) var seconds: Double
    private let order: String?
    var axes: PixelStep.AxisOrder? { order.flatMap(PixelStep.AxisOrder.init) }

    init(
      errors: RegressionErrors, metric: Metric, dataset: String, pixels: PixelPreparation.Part,
      axes: PixelStep.AxisOrder?, sampleShape: [Int], inputShape: [Int], outputShape: [Int],
      targetShape: [Int], maximumError: Double?, minimumR2: Double?, allowsNotFinite: Bool,
      seconds: Double
    ) {
      (self.errors, self.metric, self.dataset, self.pixels) = (errors, metric, dataset, pixels)
      (self.sampleShape, self.inputShape) = (sampleShape, inputShape)
      (self.outputShape, self.targetShape) = (outputShape, targetShape)
      (self.maximumError, self.minimumR2) = (maximumError, minimumR2)
      (self.allowsNotFinite, self.seconds, order) = (allowsNotFinite, seconds, axes?.rawValue)
    }

    mutating func add(_ other: Part) {
      errors.add(other.errors)
      seconds += other.seconds
    }

    func isValid(for samples: Int, like other: Part) -> Bool {
      errors.isValid(for: samples, like: other.errors) && isTime(seconds)
        && outputShape.allSatisfy { $0 > 0 } && (try? product(outputShape)) == errors.width
    }
  }
}

extension VerifyReport.Sweep {
  /// The results of each value of a filter's parameter, for some of the images.
  struct Part: Sendable, Codable {
    let filter: String
    /// The number of classes of an image.
    let dependent: Int
    private(set) var rows: [Row]

    /// A value of the parameter, with the number of correct predictions and of all.
    struct Row: Sendable, Codable {
      let value: Double
      var correct: Int
      var count: Int
    }

    init(filter: String, dependent: Int, rows: [Row]) {
      (self.filter, self.dependent, self.rows) = (filter, dependent, rows)
    }

    mutating func add(_ other: Part) {
      for (index, row) in other.rows.enumerated() {
        rows[index].correct += row.correct
        rows[index].count += row.count
      }
    }

    func isValid(for count: Int, like other: Part) -> Bool {
      rows.map(\.value) == other.rows.map(\.value) && dependent == other.dependent && dependent > 0
        && rows.allSatisfy { $0.count == count && (0...count).contains($0.correct) }
    }
  }

  init(_ part: Part) {
    filter = part.filter
    rows = part.rows.map {
      Row($0.value, correct: $0.correct, of: $0.count, dependent: part.dependent)
    }
  }
}

extension PixelPreparation {
  /// The preprocessing as a shard stores it.
  struct Part: Sendable, Codable {
    let steps: [PixelStepDocument]
    let reason: Reason
    let explanation: Wording
    let warnings: [Wording]
    let arePixels: Bool

    init(_ preparation: PixelPreparation) {
      steps = preparation.steps.map(PixelStepDocument.init)
      reason = preparation.reason
      explanation = Wording(message: preparation.explanation)
      warnings = preparation.warnings.map(Wording.init)
      arePixels = preparation.arePixels
    }
  }

  init(_ part: Part) {
    self.init(
      steps: part.steps.map(\.step), reason: part.reason, explanation: part.explanation.message,
      warnings: part.warnings.map(\.message), arePixels: part.arePixels)
  }
}

/// True if a number can be a duration in seconds: zero, or at least a nanosecond.
private func isTime(_ seconds: Double) -> Bool {
  seconds == 0 || (1e-9...1e12).contains(seconds)
}

/// A message that is decoded as it was worded.
struct Wording: Sendable, Codable {
  let message: Message

  init(message: Message) {
    self.message = message
  }

  init(from decoder: any Decoder) throws {
    message = Message(text: try String(from: decoder))
  }

  func encode(to encoder: any Encoder) throws { try message.encode(to: encoder) }
}

extension ConvertedSource {
  /// Returns the path of the source if it exists here or beside the conversion, otherwise `.../` and its name.
  fileprivate func sourcePath(beside path: String) -> String {
    let file = manifest.source.file
    let neighbour = Directory.parent(of: Directory.withoutTrailingSlashes(path)) + "/" + file
    return [file, neighbour].first { FileState(path: $0) != nil } ?? ".../" + file
  }
}
