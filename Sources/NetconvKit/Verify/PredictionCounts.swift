/// How often each class was taken for each other.
struct PredictionCounts: Sendable, Codable {
  /// Classes that there are.
  let classCount: Int
  /// Predictions for each sample.
  let placeCount: Int
  /// Predictions.
  private(set) var count = 0
  /// Those that are right.
  private(set) var correct = 0
  /// Those that are not finite, and so never right.
  private(set) var nonFinite = 0
  /// Row: the class of the label; column: the class that was predicted; `nil` for too many classes.
  ///
  /// Predictions that are not finite are in no column.
  private(set) var confusion: [[Int]]?
  /// The images of each class; `nil` for too many classes.
  private(set) var images: [Int]?

  /// No predictions of `classCount` classes.
  init(classCount: Int, placeCount: Int = 1) {
    self.classCount = classCount
    self.placeCount = placeCount
    guard classCount <= VerifyReport.confusionLimit else { return }
    confusion = Array(repeating: Array(repeating: 0, count: classCount), count: classCount)
    images = Array(repeating: 0, count: classCount)
  }

  /// The fraction of each class's images that were recognised, `nil` for a class without images; `nil` for too many
  /// classes.
  var recall: [Double?]? {
    guard let confusion, let images else { return nil }
    return confusion.indices.map { label in
      images[label] == 0 ? nil : Double(confusion[label][label]) / Double(images[label])
    }
  }

  /// Takes in the predictions of another run.
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

  /// Whether the numbers are such as `samples` samples give, with the classes that `other` has.
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

  /// Takes in one prediction: a class, or `nil` for one that is not finite.
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
