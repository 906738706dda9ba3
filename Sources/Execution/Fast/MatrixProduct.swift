internal import CKernels

/// A matrix product over pixels of images, used by convolutions and dense layers.
struct MatrixProduct: Sendable {
  /// The memory layout of the rows of the left operand.
  struct Pixels: Sendable {
    /// The number of output pixels per row of an image.
    var perRow = 1
    /// The number of output pixels per image.
    var perImage = 1
    /// The distance between neighbouring pixels of an output row, in values.
    var stride = 0
    /// The distance between rows.
    var rowStride = 0
    /// The distance between images.
    var imageStride: Int
  }

  let level: CPULevel
  /// The weights, one matrix per group of channels.
  let groups: [PackedMatrix]
  /// The distance between the channels of neighbouring groups in the left operand.
  let groupStride: Int
  let pixels: Pixels
  /// The offsets of the summed values relative to the first.
  let offsets: AlignedBuffer<Int>
  let bounds: ClosedRange<Float>

  /// The number of multiplications below which one thread is faster than several.
  private static let smallestShare = 50_000
  /// The minimum number of rows per panel, so that multiplying outweighs reading the panel.
  private static let rowsInShare = 192

  /// The number of columns of the result, over all groups.
  private var columns: Int { groups.reduce(0) { $0 + $1.columns } }

  /// True if the weights are evicted from the cache before the next image needs them.
  ///
  /// The limits are half a typical L2 cache, and the number of pixels that hides reading the weights from L3.
  var prefersManyImages: Bool {
    groups.reduce(0) { $0 + $1.byteCount } > 256 << 10 && pixels.perImage < 192
  }

  /// Returns true if threads share the columns rather than the rows of `images` images.
  ///
  /// If there are more weights than pixels, each weight is then read by one thread only.
  func sharesColumns(images: Int) -> Bool {
    images * pixels.perImage < groups[0].panelCount * level.tileRows
  }

  /// Computes the rows of `images` images.
  ///
  /// - Parameters:
  ///   - a: the left operand.
  ///   - addend: an array in the layout of the result that is added to it, if any.
  ///   - c: the result.
  func run(
    images: Int, _ a: UnsafePointer<Float>, adding addend: UnsafePointer<Float>? = nil,
    _ c: UnsafeMutablePointer<Float>, _ team: ThreadTeam
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

  /// Computes some of the rows on the current thread.
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
    // All groups have the same number of columns.
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
