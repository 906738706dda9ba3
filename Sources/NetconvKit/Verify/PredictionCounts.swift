/// How often each class was taken for each other.
struct PredictionCounts {
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
