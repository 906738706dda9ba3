import Operators

/// Zero-padded images, created in bands: the input rows that some output rows are computed from.
///
/// A band is still in the L2 cache when it is read, and each thread can create its own.
struct BorderBands: Sendable {
  /// The output rows, and their relation to the rows of the padded image.
  struct Output: Sendable {
    /// The number of rows of an image.
    let rows: Int
    /// The number of pixels per row.
    let columns: Int
    /// The distance between windows, in rows of the padded image.
    let stride: Int
    /// The height of a window, in rows of the padded image, including dilation.
    let extent: Int
  }

  /// The images and output rows of a band; if there are several images, they are complete.
  struct Band {
    let images: Range<Int>
    let rows: Range<Int>
  }

  let border: ZeroBorder
  let output: Output
  /// True if a band always contains whole images.
  let isWhole: Bool

  /// The number of values of a band that fit the L2 cache next to other data.
  private static let bandCount = (128 << 10) / MemoryLayout<Float>.size
  /// The minimum number of rows of a band: neighbouring bands both copy the rows that they share.
  private static let fewestRows = 4
  /// The minimum number of pixels of a band, if there are enough for all threads: weights are read again for each.
  private static let fewestPixels = 192

  /// The number of values of the largest band.
  var scratchCount: Int {
    max(imagesInBand * border.count, bandHeight(mostRows) * border.rowCount)
  }

  /// The number of whole images in a band.
  var imagesInBand: Int {
    isWhole || border.count <= Self.bandCount ? max(1, Self.bandCount / border.count) : 0
  }

  /// The maximum number of output rows in a band smaller than an image.
  private var mostRows: Int {
    let fitting = (Self.bandCount / border.rowCount - output.extent) / output.stride + 1
    return isWhole ? output.rows : min(output.rows, max(Self.fewestRows, fitting))
  }

  private func bandHeight(_ rows: Int) -> Int { (rows - 1) * output.stride + output.extent }

  /// Splits `images` images into bands for `threads` threads, evenly if possible.
  func bands(images: Int, threads: Int) -> Cut {
    if threads == 1 || isWhole, imagesInBand > 0 {
      return Cut(images: images, imagesInBand: imagesInBand, rows: output.rows, bandsInImage: 1)
    }
    let enough = (Self.fewestPixels + output.columns - 1) / output.columns
    let share = (images * output.rows + 4 * threads - 1) / (4 * threads)
    let rows = min(mostRows, max(enough, share))
    let bands = (output.rows + rows - 1) / rows
    let even = (bands + threads - 1) / threads * threads
    return Cut(
      images: images, imagesInBand: 1, rows: output.rows, bandsInImage: min(output.rows, even))
  }

  /// Creates every band of `images` images, each thread in its own memory, and passes it to `body`.
  ///
  /// - Parameters:
  ///   - x: the first image.
  ///   - operands: the threads that share the work, and the memory for bands.
  ///   - offset: the offset of the bands in the threads' scratch memory.
  ///   - body: receives a band, its pixels, and the index of its first output row among those of all images.
  func forEachBand(
    of images: Int, at x: UnsafePointer<Float>, _ operands: Operands, scratchOffset offset: Int = 0,
    _ body: @escaping @Sendable (Band, _ pixels: UnsafePointer<Float>, _ firstRow: Int) -> Void
  ) {
    let cut = bands(images: images, threads: operands.team.threads)
    let memory = Shared(x)
    operands.team.perform(cut.count) { index, thread in
      let band = cut[index]
      let pixels = operands.scratches[thread] + offset
      copy(band, of: memory.value, to: pixels)
      body(band, pixels, band.images.lowerBound * output.rows + band.rows.lowerBound)
    }
  }

  /// Creates a band.
  ///
  /// - Parameters:
  ///   - x: the first of all images.
  ///   - y: the memory for the band.
  func copy(_ band: Band, of x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>) {
    let first = band.rows.lowerBound * output.stride
    let rows = first..<first + bandHeight(band.rows.count)
    let imageCount = border.input.reduce(1, *)
    for (index, image) in band.images.enumerated() {
      border.copy(rows: rows, of: x + image * imageCount, to: y + index * border.count)
    }
  }

  /// A split of images into bands.
  struct Cut {
    let images: Int
    let imagesInBand: Int
    let rows: Int
    let bandsInImage: Int

    /// The number of bands.
    var count: Int { (images + imagesInBand - 1) / imagesInBand * bandsInImage }

    /// Returns the band at `index`; the bands of an image have nearly equal heights.
    subscript(index: Int) -> Band {
      let first = index / bandsInImage * imagesInBand
      let band = index % bandsInImage
      return Band(
        images: first..<min(images, first + imagesInBand),
        rows: rows * band / bandsInImage..<rows * (band + 1) / bandsInImage)
    }
  }
}

extension BorderBands.Output {
  /// Creates the output description of a window that slides over the padded image.
  init(_ window: Window2D, _ shape: [Int]) {
    self.init(
      rows: shape[0], columns: shape[1], stride: window.rows.stride, extent: window.rows.extent)
  }
}
