internal import CKernels
import ModelIR

/// The kernels built for one set of vector instructions.
package struct CPULevel: @unchecked Sendable {
  /// `v4`, `v3`, `base` or `neon`.
  package let name: String
  /// A constant of the C module; lives as long as the process.
  private let table: UnsafePointer<netconv_level>

  private init(_ table: UnsafePointer<netconv_level>) {
    self.table = table
    name = String(cString: table.pointee.name)
  }

  /// The levels that this CPU can run, best first.
  package static var available: [CPULevel] {
    var levels: [CPULevel] = []
    while let level = netconv_available_level(Int32(levels.count)) {
      levels.append(CPULevel(level))
    }
    return levels
  }

  /// The best level, or the one that the environment variable `NETCONV_CPU` names.
  ///
  /// - Throws: `usage` if it names one that this CPU lacks.
  package static func chosen() throws(NetconvError) -> CPULevel {
    let requested = netconv_requested_level().map { String(cString: $0) } ?? ""
    return try named(requested.isEmpty ? nil : requested)
  }

  /// The best level, or the one called `name`.
  ///
  /// - Throws: `usage` if this CPU lacks it.
  package static func named(_ name: String?) throws(NetconvError) -> CPULevel {
    let available = available
    guard let level = available.first(where: { $0.name == name ?? available.first?.name }) else {
      throw .unknownLevel(name ?? "", available: available.map(\.name))
    }
    return level
  }

  /// Cores that this process may use.
  package static var coreCount: Int { Int(netconv_core_count()) }

  /// Floating-point operations of one core in registers only, the most that a kernel can do.
  ///
  /// - Returns: how many were done; the time is for the caller to take.
  package func runPeak(iterations: Int) -> Double { table.pointee.peak(iterations) }

  /// Rows of the tile that the matrix product keeps in registers.
  var tileRows: Int { table.pointee.tile_rows }
  /// Columns of that tile.
  var tileColumns: Int { table.pointee.tile_columns }

  func multiply(_ job: netconv_gemm, rows: Range<Int>, panels: Range<Int>) {
    withUnsafePointer(to: job) {
      table.pointee.gemm(
        $0, rows.lowerBound, rows.upperBound, panels.lowerBound, panels.upperBound)
    }
  }

  func depthwise(_ job: netconv_depthwise, rows: Int) {
    withUnsafePointer(to: job) { table.pointee.depthwise($0, rows) }
  }

  func activate(
    _ activation: netconv_activation, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    withUnsafePointer(to: activation) { table.pointee.activate($0, x, y, count) }
  }

  /// The softmax of each column of `count` matrices.
  func softmax(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, count: Int, rows: Int,
    columns: Int
  ) {
    table.pointee.softmax(x, y, count, rows, columns)
  }

  func combine(_ job: netconv_combine) {
    withUnsafePointer(to: job) { table.pointee.combine($0) }
  }

  func affine(_ job: netconv_affine) {
    withUnsafePointer(to: job) { table.pointee.affine($0) }
  }

  func maxPool(_ job: netconv_pooling, rows: Range<Int>) {
    withUnsafePointer(to: job) { table.pointee.max_pool($0, rows.lowerBound, rows.upperBound) }
  }

  func averagePool(_ job: netconv_pooling, rows: Range<Int>) {
    withUnsafePointer(to: job) { table.pointee.average_pool($0, rows.lowerBound, rows.upperBound) }
  }
}
