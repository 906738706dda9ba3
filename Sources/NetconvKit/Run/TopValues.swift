import ModelIR

/// One of the largest values of a vector.
public struct TopValue: Sendable, Equatable {
  /// Where it stands.
  public let index: Int
  /// What stands there.
  public let value: Float
  /// What the place means; empty if nobody has said so.
  public let label: String
}

extension NDArray<Float> {
  /// The `count` largest values of each sample, the largest first; of equals, the first.
  ///
  /// Values that are not numbers come last.
  /// - Parameters:
  ///   - count: how many; fewer where there are not so many.
  ///   - labels: what the places mean, in their order.
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
