/// An image copied into the middle of zeros, or as much of it as fits.
struct ZeroBorder: Sendable {
  /// Height, width, channels.
  let input: [Int]
  /// Of the image with its border.
  let height: Int
  let width: Int
  /// Where the first pixel goes.
  let top: Int
  let left: Int

  /// Values of an image with its border.
  var count: Int { height * width * input[2] }

  /// Copies `images` images.
  func copy(_ images: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    let (rows, columns, channels) = (input[0], input[1], input[2])
    let rowLength = width * channels
    let copied = min(columns, width - left) * channels
    let before = left * channels
    for image in 0..<images {
      for row in 0..<height {
        let to = y + (image * height + row) * rowLength
        guard (top..<top + rows).contains(row) else {
          to.update(repeating: 0, count: rowLength)
          continue
        }
        to.update(repeating: 0, count: before)
        (to + before).update(
          from: x + (image * rows + row - top) * columns * channels, count: copied)
        (to + before + copied).update(repeating: 0, count: rowLength - before - copied)
      }
    }
  }
}
