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

  /// Less is done sooner than a second thread starts.
  private static let smallestShare = 200_000

  /// Columns of the result, over all groups.
  private var columns: Int { groups.reduce(0) { $0 + $1.columns } }

  /// Whether the weights leave the cache before the next image needs them.
  ///
  /// Half a typical L2 cache, and as many pixels as it takes to hide reading the weights from L3.
  var prefersManyImages: Bool {
    groups.reduce(0) { $0 + $1.byteCount } > 256 << 10 && pixels.perImage < 192
  }

  func run(
    _ images: Int, _ a: UnsafePointer<Float>, _ c: UnsafeMutablePointer<Float>, _ team: Team
  ) {
    let columns = columns
    var firstColumn = 0
    for (index, group) in groups.enumerated() {
      let job = job(group, a + index * groupStride, c + firstColumn, columns)
      multiply(job, rows: images * pixels.perImage, panels: group.panelCount, team)
      firstColumn += group.columns
    }
  }

  private func job(
    _ group: PackedMatrix, _ a: UnsafePointer<Float>, _ c: UnsafeMutablePointer<Float>,
    _ columns: Int
  ) -> netconv_gemm {
    netconv_gemm(
      a: a, row_pixels: pixels.perRow, image_pixels: pixels.perImage,
      pixel_stride: pixels.stride, row_stride: pixels.rowStride,
      image_stride: pixels.imageStride, offsets: offsets.base, depth: group.depth,
      b: group.panels.base, bias: group.bias.base, c: c, c_stride: columns,
      columns: group.columns, lowest: bounds.lowerBound, highest: bounds.upperBound)
  }

  private func multiply(_ job: netconv_gemm, rows: Int, panels: Int, _ team: Team) {
    let work = rows * job.depth * job.columns
    guard team.threads > 1, work > Self.smallestShare * team.threads else {
      level.multiply(job, rows: 0..<rows, panels: 0..<panels)
      return
    }
    let shared = SharedJob(job: job)
    if rows >= panels * level.tileRows {
      let parts = team.split(rows, unit: level.tileRows)
      team.perform(parts.count) { part in
        level.multiply(shared.job, rows: parts[part], panels: 0..<panels)
      }
    } else {
      let parts = team.split(panels, unit: 1)
      team.perform(parts.count) { part in
        level.multiply(shared.job, rows: 0..<rows, panels: parts[part])
      }
    }
  }
}

/// A job whose parts several threads do; they write to different places.
private struct SharedJob: @unchecked Sendable {
  let job: netconv_gemm
}
