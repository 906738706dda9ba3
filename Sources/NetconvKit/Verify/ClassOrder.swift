/// Another order of the classes in which most predictions would be right.
public struct ClassOrder: Sendable, Codable, Equatable {
  /// For each class of the labels, the output of the network that stands for it.
  public let outputs: [Int]
  /// The fraction of predictions that would be right.
  public let accuracy: Double

  /// How much more has to be right.
  private static let leastGain = 0.1

  /// The order that a confusion matrix tells: each class is mostly taken for one, and no two for the same.
  ///
  /// - Parameter rows: of a class of the labels, how often each class was predicted.
  /// - Returns: `nil` if classes are not moved, or not much more would be right.
  init?(_ rows: [[Int]]) {
    var outputs: [Int] = []
    var (correct, moved, count) = (0, 0, 0)
    for (label, row) in rows.enumerated() {
      let all = row.reduce(0, +)
      count += all
      let best = row.indices.max { row[$0] < row[$1] } ?? label
      // A class without samples stays where it is.
      outputs.append(all == 0 ? label : best)
      if all > 0, best != label, 2 * row[best] <= all { return nil }
      correct += all == 0 ? 0 : row[best]
      moved += all == 0 ? 0 : row[label]
    }
    guard count > 0, Set(outputs).count == rows.count, outputs != Array(rows.indices) else {
      return nil
    }
    self.outputs = outputs
    accuracy = Double(correct) / Double(count)
    guard accuracy - Double(moved) / Double(count) >= Self.leastGain, accuracy >= 0.5 else {
      return nil
    }
  }
}
