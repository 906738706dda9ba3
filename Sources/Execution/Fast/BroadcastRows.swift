import Operators

/// The rows of several inputs that are combined element by element, with axes of size 1 broadcast.
struct BroadcastRows: Sendable {
  /// The rows of one input.
  struct Source: Sendable {
    /// The offset of each row of an image.
    let offsets: [Int]
    /// True if all values of a row are the same value.
    let isConstant: Bool
    /// The number of values of an image.
    let count: Int
  }

  let sources: [Source]
  /// The number of rows of an output image.
  let count: Int
  /// The number of values per row.
  let length: Int

  init(of inputs: [[Int]], in output: [Int]) {
    // Without broadcasting, rows are as long as possible while there are still enough of them for all threads.
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

  /// Calls `body` with ranges of rows, which are counted over all images, on all threads.
  func share(_ operands: Operands, _ body: @escaping @Sendable (Range<Int>) -> Void) {
    operands.team.share(operands.images * count, smallest: 1 + elementwiseShare / length) {
      share, _ in
      body(share)
    }
  }

  /// Returns the address of a row's values in the input at `index`; rows are counted over all images.
  func address(_ index: Int, _ row: Int, _ operands: Operands) -> UnsafePointer<Float> {
    let source = sources[index]
    return operands.inputs[index] + row / count * source.count + source.offsets[row % count]
  }
}
