/// How often each class was taken for each other.
struct PredictionCounts {
  /// Classes that there are.
  let classCount: Int
  /// Predictions.
  private(set) var count = 0
  /// Those that are right.
  private(set) var correct = 0
  /// Row: the class of the label; column: the class that was predicted; `nil` for too many classes.
  private(set) var confusion: [[Int]]?

  /// No predictions of `classCount` classes.
  init(classCount: Int) {
    self.classCount = classCount
    guard classCount <= VerifyReport.confusionLimit else { return }
    confusion = Array(repeating: Array(repeating: 0, count: classCount), count: classCount)
  }

  /// Takes in one prediction.
  mutating func note(label: Int, predicted: Int) {
    count += 1
    if label == predicted { correct += 1 }
    confusion?[label][predicted] += 1
  }
}
