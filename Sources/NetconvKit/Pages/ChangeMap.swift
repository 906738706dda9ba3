import Diagnosis
import ModelIR
import Pages

/// A picture of the differences between two tensors, in which each cell represents a block of values.
struct ChangeMap: Sendable, Encodable {
  /// The maximum number of rows and of columns.
  private static let (rowLimit, columnLimit) = (64, 96)

  /// The number of rows of cells.
  let rows: Int
  /// The number of columns of cells.
  let columns: Int
  /// The letter of the axis along the rows; empty for a single row.
  let rowAxis: String
  /// The size of that axis.
  let rowCount: Int
  /// The letters of the axes along a row.
  let columnAxes: String
  /// The number of values in a row.
  let columnCount: Int
  /// The largest distance in each cell, row by row, as bytes in base64.
  ///
  /// A level is 0 if all values are equal, and 255 if only one of a pair is finite. Otherwise it is 8 · log2(distance
  /// + 1), and at least 1, with the distance in ULPs of the coarser type.
  let levels: String

  /// Compares two tensors in their canonical layout, a panel at a time.
  ///
  /// - Precondition: the axes of the two match.
  /// - Throws: any error from reading the tensors, or `interrupted`.
  init(_ first: Tensor, _ second: Tensor, _ observer: Observer) throws(NetconvError) {
    let (a, b) = (try first.canonical(), try second.canonical())
    let axes = a.layout.axes
    let sizes = axes.map { a.spec.sizes[$0] ?? 1 }
    let isMatrix = sizes.count(where: { $0 > 1 }) > 1
    let outer = isMatrix ? sizes.firstIndex { $0 > 1 } ?? 0 : 0
    rowAxis = isMatrix ? axes[outer].description : ""
    rowCount = isMatrix ? sizes[outer] : 1
    columnAxes = (isMatrix ? axes[(outer + 1)...] : axes[...]).map(\.description).joined()
    columnCount = max(1, a.count / rowCount)
    rows = min(rowCount, Self.rowLimit)
    columns = min(columnCount, Self.columnLimit)
    let type = ElementType.coarser(
      first.stored.source.elementType.exactType, second.stored.source.elementType.exactType)
    var cells = [UInt8](repeating: 0, count: rows * columns)
    let streams = (
      ValueStream<Double>(a, panelCount: 1 << 18), ValueStream<Double>(b, panelCount: 1 << 18)
    )
    var index = 0
    var (left, right) = (try streams.0.next(), try streams.1.next())
    while let x = left, let y = right {
      try observer.checkCancellation()
      let count = min(x.count, y.count)
      for place in 0..<count where x[place] != y[place] {
        let level = Self.level(x[place], y[place], type)
        let value = index + place
        let row = value / columnCount * rows / rowCount
        let cell = row * columns + value % columnCount * columns / columnCount
        if level > cells[cell] { cells[cell] = level }
      }
      index += count
      left = count < x.count ? UnsafeBufferPointer(rebasing: x[count...]) : try streams.0.next()
      right = count < y.count ? UnsafeBufferPointer(rebasing: y[count...]) : try streams.1.next()
    }
    levels = base64(cells)
  }

  private static func level(_ a: Double, _ b: Double, _ type: ElementType) -> UInt8 {
    if a.isNaN, b.isNaN { return 0 }
    guard a.isFinite, b.isFinite else { return 255 }
    let steps = type.steps(from: a, to: b)
    // The exponent and the significand of a Double approximate its logarithm, closely enough for a colour.
    let size = Double(steps) + 1
    let logarithm = Double(size.exponent) + size.significand - 1
    return UInt8(min(254, max(1, (logarithm * 8).rounded())))
  }
}
