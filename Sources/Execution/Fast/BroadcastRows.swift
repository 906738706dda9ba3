import Operators

/// The rows of several inputs that are combined index by index; along axes of size 1, values are repeated.
struct BroadcastRows: Sendable {
  /// One input as the rows see it.
  struct Source: Sendable {
    /// The offset of each row of an image.
    let offsets: [Int]
    /// Whether the values of a row are all the same one.
    let isConstant: Bool
    /// Values of an image.
    let count: Int
  }

  let sources: [Source]
  /// Rows of an image of the output.
  let count: Int
  /// Values of a row.
  let length: Int

  init(of inputs: [[Int]], in output: [Int]) {
    // Without anything to repeat, a row is as long as can be and leaves enough of them for all threads.
    let isPlain = inputs.allSatisfy { $0 == output }
    let plainRows = output.count > 1 ? output[0] : 1
    let large = isPlain ? [plainRows, output.reduce(1, *) / plainRows] : output
    let length = large.last ?? 1
    let rows = large.reduce(1, *) / length
    count = rows
    self.length = length
    sources = inputs.map { shape in
      let small = shape == output ? large : shape
      let places = BroadcastPlaces(of: small, in: large)
      return Source(
        offsets: (0..<rows).map { places[$0 * length] },
        isConstant: small.last == 1 && length > 1, count: shape.reduce(1, *))
    }
  }

  /// Where input number `index` has the values of a row, counted over all images.
  func address(_ index: Int, _ row: Int, _ operands: Operands) -> UnsafePointer<Float> {
    let source = sources[index]
    return operands.inputs[index] + row / count * source.count + source.offsets[row % count]
  }
}
