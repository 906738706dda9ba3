import ModelIR

/// The results of a model on labelled images, and the distances of its layers from a reference.
public struct VerifyReport: Report {
  /// The name of the report's schema.
  public static let schema = "verify"

  /// The verified model, as given by the caller.
  public let path: String
  /// The engine that ran the model.
  public let engine: String
  /// The precision of the run.
  public let precision: String
  /// True if all requirements are met.
  public let passed: Bool
  /// Descriptions of the requirements that are not met; empty if ``passed``.
  public let failures: [String]
  /// The file that the model was converted from, with its path if it exists here or beside the model; `nil` if it was
  /// not converted.
  public let convertedFrom: String?
  /// True if the graph was described by hand, and so may differ from the original.
  public let isDescribed: Bool
  /// The number of tensors whose SHA-256 was compared with the manifest; each counts once.
  public let checkedTensors: Int
  /// The containers that were checked: `bin`, `archive`.
  public let checkedContainers: [String]
  /// The output that was evaluated, if the network has several; `nil` if it has one, or if nothing was measured.
  public let output: String?
  /// The outputs that were not evaluated.
  public let notJudged: [String]
  /// The results on labelled images; `nil` if the model was run on none.
  public let classification: Classification?
  /// The errors of predicted quantities; `nil` if no such metric was requested.
  public let regression: Regression?
  /// The results of the usual preparations of pixels; `nil` if they were not requested.
  public let preparation: PreparationReport?
  /// The accuracy as a function of a filter's parameter; `nil` if it was not requested.
  public let sweep: Sweep?
  /// The comparison of layers with a reference model or saved activations; `nil` if there is no reference.
  public let comparison: ComparisonReport?
  /// The comparisons of the output with test vectors in the files of the model and of the reference; empty if there
  /// are none.
  public let testVectors: [TestVectorReport]
  /// The agreement with the predictions of the reference model; `nil` without labelled images or a model.
  public let agreement: Agreement?
  /// Details for a page; `nil` if no page was requested.
  var details: VerifyDetails?

  /// The maximum number of classes for which a confusion matrix is kept.
  public static let confusionLimit = 1000

  /// The results on labelled images.
  public struct Classification: Sendable {
    /// The name of the data set.
    public let dataset: String
    /// The preprocessing of pixels, and the reasons for it.
    public let pixels: PixelPreparation
    /// Groups of pictures with the same preprocessing, largest first; `nil` for images of one size.
    public let pictures: [PictureGroup]?
    /// True if the network accepts vectors, so that the values of each image were fed row by row.
    public let isRowByRow: Bool
    /// The order of the images' axes; `nil` if the network accepts only one.
    public let axes: PixelStep.AxisOrder?
    /// The value above which a single output means class 1; `nil` if each class has an output.
    public let threshold: ClassThreshold?
    /// The number of predictions: one for each image, unless the model predicts several classes for each.
    public let count: Int
    /// The number of images that were run.
    public let samples: Int
    /// The number of correct predictions.
    public let correct: Int
    /// The number of predictions with an output that is NaN, or a largest one that is not finite; they are never
    /// correct.
    public let nonFinite: Int
    /// True if such predictions are allowed.
    let allowsNotFinite: Bool
    /// ``correct`` divided by ``count``.
    public let accuracy: Double
    /// The lower and upper bounds of the 95 % Wilson interval, for which the classes of one image count as one trial.
    public let interval: [Double]
    /// The requested minimum of ``accuracy``.
    public let minimumAccuracy: Double?
    /// Images per second, excluding reading and planning.
    public let imagesPerSecond: Double
    /// The recall of each class, `nil` for a class without images; the array is `nil` for more classes than
    /// ``VerifyReport/confusionLimit``.
    public let recall: [Double?]?
    /// The confusion matrix: rows are expected classes, columns predicted classes; `nil` for more classes than
    /// ``VerifyReport/confusionLimit``.
    ///
    /// Predictions that are not finite are in no column.
    public let confusion: [[Int]]?
    /// The names of the classes by index; empty if they are unknown.
    public let classes: [String]
    /// The first misclassified samples, at most 1,000; `nil` if a sample has several classes.
    public let wrong: [WrongPrediction]?
    /// Another order of the classes that would make most predictions correct; `nil` if there is none.
    public let classOrder: ClassOrder?

    /// True if the accuracy is so close to chance that pixels may need other preprocessing.
    ///
    /// The upper bound of the interval is below twice the accuracy of chance, and below the mean of chance and 1. For
    /// two classes, chance is one half.
    public var isNearChance: Bool {
      let chance = 1 / Double(classCount)
      return interval[1] < min(2 * chance, (1 + chance) / 2)
    }

    /// The number of classes that the model distinguishes.
    private let classCount: Int

    /// True if the accuracy is as high as requested, or if no minimum was requested.
    public var isAccurate: Bool { minimumAccuracy.map { accuracy >= $0 } ?? true }
    /// True if the accuracy suggests a mistake: it is below the requested minimum, or almost certainly below one
    /// half.
    public var isLow: Bool { !isAccurate || interval[1] < 0.5 }
    /// True if every prediction is finite, or need not be.
    public var isFinite: Bool { nonFinite == 0 || allowsNotFinite }
    /// True if both ``isAccurate`` and ``isFinite`` are true.
    public var passed: Bool { isAccurate && isFinite }

    init(_ part: Part) {
      let counts = part.counts
      dataset = part.dataset
      pixels = PixelPreparation(part.pixels)
      pictures = part.pictures
      isRowByRow = part.isRowByRow
      axes = part.axes
      threshold = part.threshold
      nonFinite = counts.nonFinite
      allowsNotFinite = part.allowsNotFinite
      count = counts.count
      samples = counts.count / counts.placeCount
      classCount = counts.classCount
      correct = counts.correct
      accuracy = Double(correct) / Double(count)
      let wilson = WilsonInterval(
        successes: correct, of: count, dependent: counts.placeCount)
      interval = [wilson.lower, wilson.upper]
      minimumAccuracy = part.minimumAccuracy
      imagesPerSecond = part.seconds > 0 ? Double(samples) / part.seconds : 0
      confusion = counts.confusion
      recall = counts.recall
      classes = part.classes
      wrong = part.wrong
      classOrder = counts.confusion.flatMap(ClassOrder.init)
    }
  }

  /// The fraction of correct predictions; `nil` if the model was not run on labelled images.
  public var accuracy: Double? { classification?.accuracy }

  init(_ parts: VerifyParts, preparation: PreparationReport? = nil) {
    path = parts.path
    engine = parts.engine
    precision = parts.precision
    checkedTensors = parts.checkedTensors
    checkedContainers = parts.checkedContainers
    output = parts.output
    notJudged = parts.notJudged ?? []
    classification = parts.classification.map(Classification.init)
    regression = parts.regression.map(Regression.init)
    self.preparation = preparation
    sweep = parts.sweep.map(Sweep.init)
    comparison = parts.comparison
    testVectors = parts.testVectors ?? []
    agreement = parts.agreement.map(Agreement.init)
    convertedFrom = parts.convertedFrom
    isDescribed = parts.isDescribed
    failures =
      (classification?.failures ?? []) + (regression?.failures ?? [])
      + [agreement?.failure, comparison?.failure].compactMap(\.self)
      + testVectors.compactMap(\.failure)
    passed = failures.isEmpty
  }
}

extension VerifyReport {
  private enum CodingKeys: String, CodingKey {
    case path
    case engine
    case precision
    case passed
    case failures
    case convertedFrom
    case checkedTensors
    case checkedContainers
    case output
    case notJudged
    case dataset
    case pixels
    case pictures
    case rowByRow
    case axes
    case threshold
    case count
    case samples
    case correct
    case nonFinite
    case accuracy
    case interval
    case minimumAccuracy
    case imagesPerSecond
    case recall
    case confusion
    case classes
    case wrong
    case classOrder
    case regression
    case preparation
    case sweep
    case comparison
    case testVectors
    case agreement
  }

  /// Encodes the results on images at the top level, where scripts look for the accuracy.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(path, forKey: .path)
    try document.encode(engine, forKey: .engine)
    try document.encode(precision, forKey: .precision)
    try document.encode(passed, forKey: .passed)
    try document.encode(failures, forKey: .failures)
    try document.encodeIfPresent(convertedFrom, forKey: .convertedFrom)
    try document.encode(checkedTensors, forKey: .checkedTensors)
    try document.encode(checkedContainers, forKey: .checkedContainers)
    try document.encodeIfPresent(output, forKey: .output)
    if output != nil { try document.encode(notJudged, forKey: .notJudged) }
    try classification.map { try encode($0, in: &document) }
    try regression.map { try encode($0, in: &document) }
    try document.encodeIfPresent(preparation, forKey: .preparation)
    try document.encodeIfPresent(sweep, forKey: .sweep)
    try document.encodeIfPresent(comparison, forKey: .comparison)
    if !testVectors.isEmpty { try document.encode(testVectors, forKey: .testVectors) }
    try document.encodeIfPresent(agreement, forKey: .agreement)
  }
  private func encode(
    _ classification: Classification, in document: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    try document.encode(classification.dataset, forKey: .dataset)
    try document.encode(classification.pixels, forKey: .pixels)
    try document.encodeIfPresent(classification.pictures, forKey: .pictures)
    if classification.isRowByRow { try document.encode(true, forKey: .rowByRow) }
    try document.encodeIfPresent(classification.axes?.rawValue, forKey: .axes)
    try document.encodeIfPresent(classification.threshold, forKey: .threshold)
    try document.encode(classification.count, forKey: .count)
    if classification.samples != classification.count {
      try document.encode(classification.samples, forKey: .samples)
    }
    try document.encode(classification.correct, forKey: .correct)
    try document.encode(classification.nonFinite, forKey: .nonFinite)
    try document.encode(classification.accuracy, forKey: .accuracy)
    try document.encode(classification.interval, forKey: .interval)
    try document.encodeIfPresent(classification.minimumAccuracy, forKey: .minimumAccuracy)
    try document.encode(classification.imagesPerSecond, forKey: .imagesPerSecond)
    try document.encodeIfPresent(classification.recall, forKey: .recall)
    try document.encodeIfPresent(classification.confusion, forKey: .confusion)
    if !classification.classes.isEmpty {
      try document.encode(classification.classes, forKey: .classes)
    }
    try document.encodeIfPresent(classification.wrong, forKey: .wrong)
    try document.encodeIfPresent(classification.classOrder, forKey: .classOrder)
  }

  private func encode(
    _ regression: Regression, in document: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    try document.encode(regression.dataset, forKey: .dataset)
    try document.encode(regression.pixels, forKey: .pixels)
    try document.encodeIfPresent(regression.axes?.rawValue, forKey: .axes)
    try document.encode(regression.count, forKey: .count)
    try document.encode(regression.nonFinite, forKey: .nonFinite)
    try document.encode(regression.samplesPerSecond, forKey: .imagesPerSecond)
    try document.encode(regression, forKey: .regression)
  }
}
