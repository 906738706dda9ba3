/// The two innermost loops of a copy whose fastest axes differ in source and destination.
///
/// Eight columns are taken from 256 source rows at a time, in four-by-four blocks in registers: eight of the sixteen
/// registers hold values. The eight destination rows are written 16 bytes at a time, so that their eight cache lines
/// stay in one set of a first-level cache even where rows are a power of two apart. The 256 source rows stay in the
/// second-level cache, as the next eight columns use the other half of each line, and their address translations stay
/// in the TLB. At the edges the last four-by-four block overlaps the one before: some values are written twice, and
/// none has to be moved alone.
struct TransposedBlock {
  /// The loop that is consecutive in the source.
  let column: StridedMove.Loop
  /// The loop that is consecutive in the destination.
  let row: StridedMove.Loop

  private static let columnCount = 8
  private static let rowCount = 256

  /// Copies all values of the two loops.
  func run(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>) {
    guard column.from == 1, row.to == 1, column.size >= 4, row.size >= 4 else {
      return copyOneByOne(source, destination)
    }
    for firstRow in stride(from: 0, to: row.size, by: Self.rowCount) {
      let rows = firstRow..<min(firstRow + Self.rowCount, row.size)
      for first in stride(from: 0, to: column.size, by: Self.columnCount) {
        let columns = first..<min(first + Self.columnCount, column.size)
        if columns.count == Self.columnCount, rows.count % 4 == 0 {
          copyTile(
            source + first + firstRow * row.from, destination + first * column.to + firstRow,
            rows.count)
        } else {
          copyEdge(source, destination, columns, rows)
        }
      }
    }
  }

  /// Transposes ``columnCount`` columns of `rows` source rows, a multiple of four.
  @inline(__always)
  private func copyTile(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>, _ rows: Int
  ) {
    for y in stride(from: 0, to: rows, by: 4) {
      for x in stride(from: 0, to: Self.columnCount, by: 4) {
        copyFourByFour(source + (x &+ y &* row.from), destination + (x &* column.to &+ y))
      }
    }
  }

  /// Transposes any number of columns and rows; the last block overlaps the previous one where fewer than four remain.
  private func copyEdge(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>,
    _ columns: Range<Int>, _ rows: Range<Int>
  ) {
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 4) {
      let y = min(y, row.size - 4)
      for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 4) {
        let x = min(x, column.size - 4)
        copyFourByFour(source + x + y * row.from, destination + x * column.to + y)
      }
    }
  }

  /// Transposes four by four values: rows are interleaved by value, then by pairs of values.
  ///
  /// The pairs are moved as `Double`; otherwise the compiler emits four instructions instead of three.
  @inline(__always)
  private func copyFourByFour(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>
  ) {
    let from = UnsafeRawPointer(source)
    let step = row.from &* MemoryLayout<Float>.size
    let a = from.loadUnaligned(as: SIMD4<Float>.self)
    let b = (from + step).loadUnaligned(as: SIMD4<Float>.self)
    let c = (from + 2 &* step).loadUnaligned(as: SIMD4<Float>.self)
    let d = (from + 3 &* step).loadUnaligned(as: SIMD4<Float>.self)
    let abLow = unsafeBitCast(SIMD4(a[0], b[0], a[1], b[1]), to: SIMD2<Double>.self)
    let cdLow = unsafeBitCast(SIMD4(c[0], d[0], c[1], d[1]), to: SIMD2<Double>.self)
    let abHigh = unsafeBitCast(SIMD4(a[2], b[2], a[3], b[3]), to: SIMD2<Double>.self)
    let cdHigh = unsafeBitCast(SIMD4(c[2], d[2], c[3], d[3]), to: SIMD2<Double>.self)
    let to = UnsafeMutableRawPointer(destination)
    let line = column.to &* MemoryLayout<Float>.size
    to.storeBytes(of: SIMD2(abLow[0], cdLow[0]), as: SIMD2<Double>.self)
    (to + line).storeBytes(of: SIMD2(abLow[1], cdLow[1]), as: SIMD2<Double>.self)
    (to + 2 &* line).storeBytes(of: SIMD2(abHigh[0], cdHigh[0]), as: SIMD2<Double>.self)
    (to + 3 &* line).storeBytes(of: SIMD2(abHigh[1], cdHigh[1]), as: SIMD2<Double>.self)
  }

  /// Copies value by value: for short rows, or where no values are consecutive.
  private func copyOneByOne(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>
  ) {
    for y in 0..<row.size {
      let from = source + y * row.from
      let to = destination + y * row.to
      for x in 0..<column.size { to[x * column.to] = from[x * column.from] }
    }
  }
}
