/// Another order of the classes that would make most predictions correct.
public struct ClassOrder: Sendable, Codable, Equatable {
  /// For each class of the labels, the index of the network's output that represents it.
  public let outputs: [Int]
  /// The fraction of predictions that would be correct.
  public let accuracy: Double

  /// The smallest gain in accuracy that is reported.
  private static let leastGain = 0.1

  /// Derives the order from a confusion matrix, if each class is mostly predicted as one class, and no two as the
  /// same.
  ///
  /// - Parameter rows: for each class of the labels, how often each class was predicted.
  /// - Returns: `nil` if no classes are permuted, or if the gain in accuracy is too small.
  init?(_ rows: [[Int]]) {
    var outputs: [Int] = []
    var (correct, moved, count) = (0, 0, 0)
    for (label, row) in rows.enumerated() {
      let all = row.reduce(0, +)
      count += all
      let best = row.indices.max { row[$0] < row[$1] } ?? label
      // A class without samples keeps its index.
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
