import ModelIR

/// One of the largest values of a vector.
public struct TopValue: Sendable, Equatable {
  /// The index of the value.
  public let index: Int
  /// The value.
  public let value: Float
  /// The label of the index; empty if it is unknown.
  public let label: String
}

extension NDArray<Float> {
  /// Returns the `count` largest values of each sample, in descending order; equal values are ordered by index.
  ///
  /// NaNs come last.
  /// - Parameters:
  ///   - count: the number of values; fewer are returned if a sample has fewer.
  ///   - labels: the labels of the indices, in order.
  /// - Returns: a list for each index of the first axis, which is the batch.
  public func top(_ count: Int, labels: [String] = []) -> [[TopValue]] {
    guard let batch = shape.first, batch > 0 else { return [] }
    let width = values.count / batch
    return (0..<batch).map { sample in
      let row = values[sample * width..<(sample + 1) * width]
      let order = row.indices.sorted { a, b in
        let (x, y) = (row[a], row[b])
        if x.isNaN || y.isNaN { return y.isNaN && (!x.isNaN || a < b) }
        return x == y ? a < b : x > y
      }
      return order.prefix(max(0, count)).map { place in
        let index = place - row.startIndex
        return TopValue(
          index: index, value: row[place],
          label: labels.indices.contains(index) ? labels[index] : "")
      }
    }
  }
}
