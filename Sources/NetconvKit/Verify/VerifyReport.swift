import ModelIR

/// How well a model does on labelled images, and how close its layers are to what they should be.
public struct VerifyReport: Report {
  /// The name of its schema.
  public static let schema = "verify"

  /// What was verified, as it was named.
  public let path: String
  /// The engine that ran it.
  public let engine: String
  /// The precision it was run in.
  public let precision: String
  /// Whether everything is as good as was asked for.
  public let passed: Bool
  /// What is not, in words; empty if ``passed``.
  public let failures: [String]
  /// The file that it was converted from, with its path if it lies here or beside it; `nil` if it is no conversion.
  public let convertedFrom: String?
  /// Whether somebody has described it by hand, so that it may be another than it should.
  public let isDescribed: Bool
  /// Tensors whose SHA-256 was compared with the manifest; each counts once.
  public let checkedTensors: Int
  /// The containers in which they were compared: `bin`, `archive`.
  public let checkedContainers: [String]
  /// The output that was judged, of a network with several; `nil` of one with one, or if nothing was measured.
  public let output: String?
  /// The outputs that were not.
  public let notJudged: [String]
  /// How many labelled images it recognises; `nil` if it was run on none.
  public let classification: Classification?
  /// How far its predictions of quantities are from their targets; `nil` if no such metric was asked for.
  public let regression: Regression?
  /// Which of the usual preparations of pixels stands out; `nil` if that was not asked for.
  public let preparation: PreparationReport?
  /// How the accuracy follows a parameter of a filter; `nil` if that was not asked for.
  public let sweep: Sweep?
  /// How close its layers are to those of a model or to saved activations; `nil` if nothing was named.
  public let comparison: ComparisonReport?
  /// How close its output is to what files state beside their networks; empty if neither it nor what it was compared with is
  /// such a file.
  public let testVectors: [TestVectorReport]
  /// How its predictions agree with those of the model compared with; `nil` without labelled images or a model.
  public let agreement: Agreement?
  /// What a page shows besides; `nil` if none was asked for.
  var details: VerifyDetails?

  /// The most classes for which a square of them is kept.
  public static let confusionLimit = 1000

  /// What became of labelled images.
  public struct Classification: Sendable {
    /// What the model was run on.
    public let dataset: String
    /// What was done to pixels, and why.
    public let pixels: PixelPreparation
    /// What was done to pictures all in all, the most frequent first; `nil` of images that have one size.
    public let pictures: [PictureGroup]?
    /// Whether the network takes vectors, so that the values of each image were fed row by row.
    public let isRowByRow: Bool
    /// Which order the axes of the images have; `nil` where the network takes one alone.
    public let axes: PixelStep.AxisOrder?
    /// Above which value a single output means class 1; `nil` where each class has an output.
    public let threshold: ClassThreshold?
    /// Images that were run; of a model that gives several classes for each, these are counted.
    public let count: Int
    /// Images that were run.
    public let samples: Int
    /// Images whose class was recognised.
    public let correct: Int
    /// Images for which an output is not a number, or the largest is not finite: no class, and never right.
    public let nonFinite: Int
    /// Whether such images are allowed.
    let allowsNotFinite: Bool
    /// ``correct`` over ``count``.
    public let accuracy: Double
    /// The 95 % Wilson interval, lower and upper end; several classes of one image count as one for it.
    public let interval: [Double]
    /// What was asked for.
    public let minimumAccuracy: Double?
    /// Images per second, without reading and planning.
    public let imagesPerSecond: Double
    /// The fraction of each class's images that were recognised, `nil` for a class without images; `nil` for more
    /// classes than ``VerifyReport/confusionLimit``.
    public let recall: [Double?]?
    /// Row: the class of the label; column: the class that was predicted; `nil` for more classes than
    /// ``VerifyReport/confusionLimit``.
    ///
    /// Predictions that are not finite are in no column.
    public let confusion: [[Int]]?
    /// What the classes are called, by their numbers; empty if nobody says.
    public let classes: [String]
    /// The first samples that were not recognised, at most 1,000; `nil` where a sample has several classes.
    public let wrong: [WrongPrediction]?
    /// Another order of the classes in which most would be right; `nil` if there is none.
    public let classOrder: ClassOrder?

    /// Whether the network sees so little that pixels may have been prepared in another way.
    ///
    /// The upper end of the interval is below twice what chance gives, and below the middle of chance and 1: of two
    /// classes, chance gives a half.
    public var isNearChance: Bool {
      let chance = 1 / Double(classCount)
      return interval[1] < min(2 * chance, (1 + chance) / 2)
    }

    /// Classes that the model tells apart.
    private let classCount: Int

    /// Whether the accuracy is what was asked for; true if nothing was.
    public var isAccurate: Bool { minimumAccuracy.map { accuracy >= $0 } ?? true }
    /// Whether the accuracy looks as if something were wrong: it is below what was asked for, or almost certainly below
    /// one half.
    public var isLow: Bool { !isAccurate || interval[1] < 0.5 }
    /// Whether every prediction is finite, or need not be.
    public var isFinite: Bool { nonFinite == 0 || allowsNotFinite }
    /// Whether both hold.
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

  /// The fraction of labelled images that were recognised; `nil` if the model was run on none.
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

  /// Writes what became of the images at the top, where scripts look for the accuracy.
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
