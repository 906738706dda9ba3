/// A rectangular part of an array whose values are consecutive in stored order.
package struct IndexBox {
  /// The first index along each axis.
  package var start: [Int]
  /// The size along each axis.
  package var size: [Int]

  /// The number of values.
  package var count: Int { size.reduce(1, *) }

  /// Returns the boxes that cover the values in `range` of an array of `shape`, in stored order.
  ///
  /// There are at most `2 * rank - 1` boxes: for each axis the end of one row and the start of another, and once the
  /// whole rows in between.
  /// - Parameter range: Linear indices within the array, whose size does not overflow.
  package static func boxes(covering range: Range<Int>, of shape: [Int]) -> [IndexBox] {
    var boxes: [IndexBox] = []
    append(range, of: shape[...], below: [], to: &boxes)
    return boxes
  }

  /// Adds the boxes of `range` within the subarray at the indices `prefix`.
  private static func append(
    _ range: Range<Int>, of shape: ArraySlice<Int>, below prefix: [Int], to boxes: inout [IndexBox]
  ) {
    guard !range.isEmpty else { return }
    let inner = shape.dropFirst()
    let row = inner.reduce(1, *)
    let firstWhole = range.lowerBound / row + (range.lowerBound % row == 0 ? 0 : 1)
    let endWhole = range.upperBound / row
    func appendPart(_ part: Range<Int>, ofRow number: Int) {
      let offset = number * row
      append(
        (part.lowerBound - offset)..<(part.upperBound - offset), of: inner,
        below: prefix + [number], to: &boxes)
    }
    guard firstWhole <= endWhole else { return appendPart(range, ofRow: endWhole) }
    appendPart(range.lowerBound..<(firstWhole * row), ofRow: firstWhole - 1)
    if firstWhole < endWhole {
      boxes.append(
        IndexBox(
          start: prefix + [firstWhole] + inner.map { _ in 0 },
          size: prefix.map { _ in 1 } + [endWhole - firstWhole] + inner))
    }
    appendPart((endWhole * row)..<range.upperBound, ofRow: endWhole)
  }
}
