import ModelIR

/// For each axis of a tensor, hashes of its slices that do not depend on the order of values in
/// them.
struct SliceSums {
  /// The sums along an axis of size above 1.
  struct Line {
    /// The index of the axis in the shape.
    let axis: Int
    /// The sum of a hash of each value's bits, for each index of the axis.
    let sums: [UInt64]
    /// The prefix sums, with the total as the last.
    let before: [UInt64]

    /// The sum over a range of indices.
    func sum(_ range: Range<Int>) -> UInt64 { before[range.upperBound] &- before[range.lowerBound] }
  }

  let lines: [Line]
  /// The sum over all indices; `nil` for a single value.
  var total: UInt64? { lines.first.map { $0.sum(0..<$0.sums.count) } }

  /// Creates sums from known lines.
  init(lines: [Line]) { self.lines = lines }

  /// - Throws: An error if the values cannot be read.
  init(_ tensor: RelatedTensor) throws(NetconvError) {
    let axes = tensor.shape.indices.filter { tensor.shape[$0] > 1 }
    let strides = rowMajorStrides(of: tensor.shape)
    var sums = axes.map { [UInt64](repeating: 0, count: tensor.shape[$0]) }
    try tensor.source.forEachPiece(in: 0..<tensor.count) { range, values in
      for (index, value) in zip(range, values) {
        let hash = Fingerprint.hash(value.bitPattern)
        for (line, axis) in axes.enumerated() {
          sums[line][index / strides[axis] % tensor.shape[axis]] &+= hash
        }
      }
    }
    lines = zip(axes, sums).map { axis, sums in
      var before: [UInt64] = [0]
      for sum in sums { before.append(before[before.count - 1] &+ sum) }
      return Line(axis: axis, sums: sums, before: before)
    }
  }

  /// The positions in `a` of the values of `b`, if both have the same axes in any order and any
  /// permutation; all solutions that the sums permit.
  static func tables(
    _ a: SliceSums, _ shape: [Int], to b: SliceSums
  ) -> [AxisTables] {
    guard a.lines.count == b.lines.count else { return [] }
    let strides = rowMajorStrides(of: shape)
    var all: [(origin: Int, tables: [[Int]], used: Set<Int>)] = [(0, [], [])]
    for line in b.lines {
      all = all.flatMap { known in
        a.lines.indices.filter { !known.used.contains($0) }.compactMap { index in
          guard let places = line.places(in: a.lines[index]) else { return nil }
          let stride = strides[a.lines[index].axis]
          return (
            known.origin + places[0] * stride,
            known.tables + [places.map { ($0 - places[0]) * stride }], known.used.union([index])
          )
        }
      }
    }
    return all.map { AxisTables(origin: $0.origin, tables: $0.tables) }
  }
}

extension SliceSums.Line {
  /// The index of the other axis with the same values, for each index; `nil` unless they match one
  /// to one.
  ///
  /// Indices with the same values, such as zeros, keep their order.
  fileprivate func places(in other: SliceSums.Line) -> [Int]? {
    guard sums.count == other.sums.count else { return nil }
    var free = Dictionary(grouping: other.sums.indices.reversed()) { other.sums[$0] }
    var places: [Int] = []
    for sum in sums {
      guard let place = free[sum]?.popLast() else { return nil }
      places.append(place)
    }
    return places
  }

  /// The starts of ranges whose values, in any order, are `count` values with this sum.
  func starts(of sum: UInt64, count: Int, in total: Int) -> [(start: Int, length: Int)] {
    let slice = total / sums.count
    guard slice > 0, count.isMultiple(of: slice) else { return [] }
    let length = count / slice
    guard length > 0, length <= sums.count else { return [] }
    return (0...sums.count - length).filter { self.sum($0..<$0 + length) == sum }
      .map { ($0, length) }
  }
}
