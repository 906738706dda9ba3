/// An array embedded in a larger one of the same rank.
package struct SpatialBorder: Sendable {
  /// The larger array's shape.
  let outer: [Int]
  /// The smaller array's shape.
  let inner: [Int]
  /// The offset of the smaller array along each axis except the last, the channels.
  let before: [Int]

  /// Creates the relation of two arrays; the offsets are those along each axis except the last.
  package init(outer: [Int], inner: [Int], before: [Int]) {
    (self.outer, self.inner, self.before) = (outer, inner, before)
  }

  /// The number of values that are contiguous in both arrays.
  package var run: Int { inner[inner.count - 1] }

  /// Calls `body` with the offsets of each contiguous run in both arrays.
  package func forEachRun(_ body: (_ outer: Int, _ inner: Int) -> Void) {
    visit(axis: 0, outer: 0, inner: 0, body)
  }

  private func visit(axis: Int, outer place: Int, inner innerPlace: Int, _ body: (Int, Int) -> Void)
  {
    guard axis < before.count else {
      return body(place * outer[axis], innerPlace * inner[axis])
    }
    for index in 0..<inner[axis] {
      visit(
        axis: axis + 1, outer: place * outer[axis] + before[axis] + index,
        inner: innerPlace * inner[axis] + index, body)
    }
  }
}
