/// An array that lies inside a larger one of the same rank.
struct SpatialBorder {
  /// The larger one's shape.
  let outer: [Int]
  /// The smaller one's.
  let inner: [Int]
  /// Places before the smaller one along each axis but the last, the channels.
  let before: [Int]

  /// Values that lie side by side in both.
  var run: Int { inner[inner.count - 1] }

  /// Calls `body` with the places of each run in both arrays.
  func forEachRun(_ body: (_ outer: Int, _ inner: Int) -> Void) {
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
