import Operators

/// An image copied into a zero-filled border, or as much of it as fits.
struct ZeroBorder: Sendable {
  /// Height, width, channels.
  let input: [Int]
  /// The size of the padded image.
  let height: Int
  let width: Int
  /// The position of the first pixel.
  let top: Int
  let left: Int

  /// The number of values per row of the padded image.
  var rowCount: Int { width * input[2] }

  /// The number of values of the padded image.
  var count: Int { height * rowCount }

  /// Copies some rows of a padded image.
  ///
  /// - Parameters:
  ///   - x: the image without padding.
  ///   - y: the memory for the first of the rows.
  func copy(
    rows: Range<Int>, of x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>
  ) {
    let (columns, channels) = (input[1], input[2])
    // With a large stride, no window may cover the image.
    let before = min(left, width) * channels
    let copied = max(0, min(columns, width - left)) * channels
    for (index, row) in rows.enumerated() {
      let to = y + index * rowCount
      guard (top..<top + input[0]).contains(row) else {
        to.update(repeating: 0, count: rowCount)
        continue
      }
      to.update(repeating: 0, count: before)
      (to + before).update(from: x + (row - top) * columns * channels, count: copied)
      (to + before + copied).update(repeating: 0, count: rowCount - before - copied)
    }
  }
}

extension ZeroBorder {
  /// Creates the border that an output's windows extend over, or `nil` if all are within the image.
  ///
  /// - Parameter padding: zero padding in addition to that of the window.
  init?(_ window: Window2D, _ padding: (any ZeroPaddingOperator)?, input: [Int], output: [Int]) {
    let (rows, columns) = (window.rows, window.columns)
    let top = rows.paddingBefore(input[0]) + (padding?.top ?? 0)
    let left = columns.paddingBefore(input[1]) + (padding?.left ?? 0)
    let height = (output[0] - 1) * rows.stride + rows.extent
    let width = (output[1] - 1) * columns.stride + columns.extent
    guard top > 0 || left > 0 || height > input[0] || width > input[1] else { return nil }
    self.init(input: input, height: height, width: width, top: top, left: left)
  }
}
