internal import CKernels

/// A matrix product over pixels of images: what convolutions and dense layers come down to.
struct MatrixProduct: Sendable {
  /// Where the rows of the left side lie.
  struct Pixels: Sendable {
    /// Output pixels in a row of an image.
    var perRow = 1
    /// Output pixels of an image.
    var perImage = 1
    /// The distance of two pixels under a row of the output, in values.
    var stride = 0
    /// The distance of two rows.
    var rowStride = 0
    /// The distance of two images.
    var imageStride: Int
  }

  let level: CPULevel
  /// One for each group of channels.
  let groups: [PackedMatrix]
  /// The distance in the left side of one group's channels to the next.
  let groupStride: Int
  let pixels: Pixels
  /// Where the values that are summed lie, relative to the first.
  let offsets: AlignedBuffer<Int>
  let bounds: ClosedRange<Float>

  /// Products of so many multiplications are done sooner than shared.
  private static let smallestShare = 50_000
  /// Rows that a panel is read for at least, lest reading it costs more than multiplying.
  private static let rowsInShare = 192

  /// Columns of the result, over all groups.
  private var columns: Int { groups.reduce(0) { $0 + $1.columns } }

  /// Whether the weights leave the cache before the next image needs them.
  ///
  /// Half a typical L2 cache, and as many pixels as it takes to hide reading the weights from L3.
  var prefersManyImages: Bool {
    groups.reduce(0) { $0 + $1.byteCount } > 256 << 10 && pixels.perImage < 192
  }

  /// Whether threads share the columns rather than the rows of `images` images: where there are more weights
  /// than pixels, each is read by one thread only.
  func sharesColumns(images: Int) -> Bool {
    images * pixels.perImage < groups[0].panelCount * level.tileRows
  }

  /// Computes the rows of `images` images.
  ///
  /// - Parameters:
  ///   - a: the left side.
  ///   - addend: added to the result, if anything, and laid out like it.
  ///   - c: the result.
  func run(
    images: Int, _ a: UnsafePointer<Float>, adding addend: UnsafePointer<Float>? = nil,
    _ c: UnsafeMutablePointer<Float>, _ team: Team
  ) {
    let rows = images * pixels.perImage
    if team.threads == 1 || rows * columns * groups[0].depth < 2 * Self.smallestShare {
      run(rows: 0..<rows, a, adding: addend, c)
    } else if sharesColumns(images: images) {
      for index in groups.indices {
        let job = Shared(job(index, a, addend, c))
        team.share(groups[index].panelCount) { panels, _ in
          level.multiply(job.value, rows: 0..<rows, panels: panels)
        }
      }
    } else {
      let operands = Shared((a: a, addend: addend, c: c))
      let smallest = min(Self.rowsInShare, (rows + team.threads - 1) / team.threads)
      team.share(rows, unit: level.tileRows, smallest: smallest) { rows, _ in
        let (a, addend, c) = operands.value
        run(rows: rows, a, adding: addend, c)
      }
    }
  }

  /// Computes some of the rows, without help.
  func run(
    rows: Range<Int>, _ a: UnsafePointer<Float>, adding addend: UnsafePointer<Float>? = nil,
    _ c: UnsafeMutablePointer<Float>
  ) {
    for index in groups.indices {
      level.multiply(
        job(index, a, addend, c), rows: rows, panels: 0..<groups[index].panelCount)
    }
  }

  private func job(
    _ group: Int, _ a: UnsafePointer<Float>, _ addend: UnsafePointer<Float>?,
    _ c: UnsafeMutablePointer<Float>
  ) -> netconv_gemm {
    let matrix = groups[group]
    // All groups have as many.
    let column = group * groups[0].columns
    return netconv_gemm(
      a: a + group * groupStride, row_pixels: pixels.perRow, image_pixels: pixels.perImage,
      pixel_stride: pixels.stride, row_stride: pixels.rowStride,
      image_stride: pixels.imageStride, offsets: offsets.base, depth: matrix.depth,
      b: matrix.panels.base, bias: matrix.bias.base, addend: addend.map { $0 + column },
      c: c + column, c_stride: columns, columns: matrix.columns, lowest: bounds.lowerBound,
      highest: bounds.upperBound)
  }
}
