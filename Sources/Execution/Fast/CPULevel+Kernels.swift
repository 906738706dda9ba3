internal import CKernels
import Processor

extension CPULevel {
  /// The functions of this level.
  private var kernels: UnsafePointer<netconv_level> {
    table.assumingMemoryBound(to: netconv_level.self)
  }

  /// The number of rows of the matrix product's register tile.
  var tileRows: Int { kernels.pointee.tile_rows }
  /// The number of columns of that tile.
  var tileColumns: Int { kernels.pointee.tile_columns }

  func multiply(_ job: netconv_gemm, rows: Range<Int>, panels: Range<Int>) {
    withUnsafePointer(to: job) {
      kernels.pointee.gemm(
        $0, rows.lowerBound, rows.upperBound, panels.lowerBound, panels.upperBound)
    }
  }

  func depthwise(_ job: netconv_depthwise, rows: Int) {
    withUnsafePointer(to: job) { kernels.pointee.depthwise($0, rows) }
  }

  func activate(
    _ activation: netconv_activation, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    withUnsafePointer(to: activation) { kernels.pointee.activate($0, x, y, count) }
  }

  /// Computes the softmax of each column of `count` matrices.
  func softmax(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, count: Int, rows: Int,
    columns: Int
  ) {
    kernels.pointee.softmax(x, y, count, rows, columns)
  }

  /// Replaces values by powers of e, with `largest` and `sum` kept over all parts of a row.
  ///
  /// - Returns: The factor of what was summed before.
  func softmaxPart(
    _ x: UnsafeMutablePointer<Float>, count: Int, largest: UnsafeMutablePointer<Float>,
    sum: UnsafeMutablePointer<Float>
  ) -> Float {
    kernels.pointee.softmax_part(x, count, largest, sum)
  }

  func combine(_ job: netconv_combine) {
    withUnsafePointer(to: job) { kernels.pointee.combine($0) }
  }

  func affine(_ job: netconv_affine) {
    withUnsafePointer(to: job) { kernels.pointee.affine($0) }
  }

  func maxPool(_ job: netconv_pooling, rows: Range<Int>) {
    withUnsafePointer(to: job) { kernels.pointee.max_pool($0, rows.lowerBound, rows.upperBound) }
  }

  func averagePool(_ job: netconv_pooling, rows: Range<Int>) {
    withUnsafePointer(to: job) {
      kernels.pointee.average_pool($0, rows.lowerBound, rows.upperBound)
    }
  }
}
