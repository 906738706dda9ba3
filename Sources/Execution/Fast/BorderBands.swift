import Operators

/// Images with zeros around them, made a band at a time: the rows that some rows of the output are computed from.
///
/// A band is still in the L2 cache when it is read, and threads can each make their own.
struct BorderBands: Sendable {
  /// Rows of the output, and how they follow from rows of the bordered image.
  struct Output: Sendable {
    /// Rows of an image.
    let rows: Int
    /// Pixels of a row.
    let columns: Int
    /// The distance of neighbouring rows in the bordered image.
    let stride: Int
    /// Rows of the bordered image under a window, from the first to the last.
    let extent: Int
  }

  /// Images and rows of their output; images are whole if they are several.
  struct Band {
    let images: Range<Int>
    let rows: Range<Int>
  }

  let border: ZeroBorder
  let output: Output
  /// Whether a band never holds less than an image.
  let isWhole: Bool

  /// Values of a band that fit the L2 cache beside what else is read.
  private static let bandCount = (128 << 10) / MemoryLayout<Float>.size
  /// Rows of a band at least: neighbouring bands copy the rows that they share twice.
  private static let fewestRows = 4
  /// Pixels of a band at least, if there are enough for all threads: weights are read again for each.
  private static let fewestPixels = 192

  /// Values of the largest band.
  var scratchCount: Int {
    max(imagesInBand * border.count, bandHeight(mostRows) * border.rowCount)
  }

  /// Whole images in a band.
  var imagesInBand: Int {
    isWhole || border.count <= Self.bandCount ? max(1, Self.bandCount / border.count) : 0
  }

  /// Rows of the output in a band that is less than an image.
  private var mostRows: Int {
    let fitting = (Self.bandCount / border.rowCount - output.extent) / output.stride + 1
    return isWhole ? output.rows : min(output.rows, max(Self.fewestRows, fitting))
  }

  private func bandHeight(_ rows: Int) -> Int { (rows - 1) * output.stride + output.extent }

  /// Cuts `images` images into bands for `threads` threads, as many for each if it can be.
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

  /// Makes every band of `images` images, each thread in its own memory, and hands it on.
  ///
  /// - Parameters:
  ///   - x: the first image.
  ///   - operands: who shares the work, and the memory for bands.
  ///   - offset: where that begins in the threads' scratch memory.
  ///   - body: gets a band, where it lies, and the number of its first row of output among those of all images.
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

  /// Makes a band.
  ///
  /// - Parameters:
  ///   - x: the first of all images.
  ///   - y: where the band goes.
  func copy(_ band: Band, of x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>) {
    let first = band.rows.lowerBound * output.stride
    let rows = first..<first + bandHeight(band.rows.count)
    let imageCount = border.input.reduce(1, *)
    for (index, image) in band.images.enumerated() {
      border.copy(rows: rows, of: x + image * imageCount, to: y + index * border.count)
    }
  }

  /// How images are cut into bands.
  struct Cut {
    let images: Int
    let imagesInBand: Int
    let rows: Int
    let bandsInImage: Int

    /// The number of bands.
    var count: Int { (images + imagesInBand - 1) / imagesInBand * bandsInImage }

    /// Band number `index`; those of an image are of nearly equal height.
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
  /// The output of a window that slides over the bordered image.
  init(_ window: Window2D, _ shape: [Int]) {
    self.init(
      rows: shape[0], columns: shape[1], stride: window.rows.stride, extent: window.rows.extent)
  }
}
