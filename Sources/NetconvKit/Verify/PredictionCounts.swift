/// Counts of predictions by expected and predicted class.
struct PredictionCounts: Sendable, Codable {
  /// The number of classes.
  let classCount: Int
  /// The number of predictions for each sample.
  let placeCount: Int
  /// The number of predictions.
  private(set) var count = 0
  /// The number of correct predictions.
  private(set) var correct = 0
  /// The number of predictions that are not finite, which are never correct.
  private(set) var nonFinite = 0
  /// The confusion matrix: rows are expected classes, columns predicted classes; `nil` for too many classes.
  ///
  /// Predictions that are not finite are in no column.
  private(set) var confusion: [[Int]]?
  /// The number of images of each class; `nil` for too many classes.
  private(set) var images: [Int]?

  /// Creates empty counts.
  init(classCount: Int, placeCount: Int = 1) {
    self.classCount = classCount
    self.placeCount = placeCount
    guard classCount <= VerifyReport.confusionLimit else { return }
    confusion = Array(repeating: Array(repeating: 0, count: classCount), count: classCount)
    images = Array(repeating: 0, count: classCount)
  }

  /// The recall of each class, `nil` for a class without images; the array is `nil` for too many classes.
  var recall: [Double?]? {
    guard let confusion, let images else { return nil }
    return confusion.indices.map { label in
      images[label] == 0 ? nil : Double(confusion[label][label]) / Double(images[label])
    }
  }

  /// Adds the counts of another run.
  ///
  /// - Precondition: ``isValid(for:like:)``.
  mutating func add(_ other: PredictionCounts) {
    count += other.count
    correct += other.correct
    nonFinite += other.nonFinite
    guard let (rows, counts) = other.confusion.flatMap({ rows in other.images.map { (rows, $0) } })
    else { return }
    for (label, row) in rows.enumerated() {
      images?[label] += counts[label]
      for (predicted, number) in row.enumerated() { confusion?[label][predicted] += number }
    }
  }

  /// True if the counts are consistent with `samples` samples and the classes of `other`.
  func isValid(for samples: Int, like other: PredictionCounts) -> Bool {
    guard classCount == other.classCount, classCount > 0, placeCount == other.placeCount,
      placeCount > 0, samples >= 0,
      case (count, false) = samples.multipliedReportingOverflow(by: placeCount),
      (0...count).contains(correct), (0...count).contains(nonFinite)
    else { return false }
    guard let confusion, let images else {
      return classCount > VerifyReport.confusionLimit && confusion == nil && images == nil
    }
    let all = confusion.joined()
    return confusion.count == classCount && images.count == classCount
      && confusion.allSatisfy { $0.count == classCount }
      && all.allSatisfy((0...count).contains) && images.allSatisfy((0...count).contains)
      && images.reduce(0, &+) == count && all.reduce(0, &+) == count - nonFinite
      && confusion.indices.reduce(0) { $0 &+ confusion[$1][$1] } == correct
  }

  /// Counts one prediction: a class, or `nil` if its outputs are not finite.
  mutating func note(label: Int, predicted: Int?) {
    count += 1
    images?[label] += 1
    guard let predicted else {
      nonFinite += 1
      return
    }
    if label == predicted { correct += 1 }
    confusion?[label][predicted] += 1
  }
}
