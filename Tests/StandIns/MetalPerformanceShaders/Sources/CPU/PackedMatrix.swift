/// The right-hand side of a matrix product, in panels of eight columns, so that a panel is read from front to back.
package final class PackedMatrix: @unchecked Sendable {
  package static let panelWidth = 8
  package let rows: Int
  package let columns: Int
  package var panels: Int { (columns + Self.panelWidth - 1) / Self.panelWidth }
  private let numbers: UnsafeMutableBufferPointer<Float>

  /// Packs the number at each row and column.
  package init(rows: Int, columns: Int, _ number: (_ row: Int, _ column: Int) -> Float) {
    self.rows = rows
    self.columns = columns
    let width = Self.panelWidth
    numbers = .allocate(capacity: (columns + width - 1) / width * rows * width)
    numbers.initialize(repeating: 0)
    for column in 0..<columns {
      let first = (column / width * rows) * width + column % width
      for row in 0..<rows { numbers[first + row * width] = number(row, column) }
    }
  }

  deinit { numbers.deallocate() }

  /// `result = left * self` for some of the panels, each sum in float32 from the first row to the last.
  ///
  /// - Parameters:
  ///   - left: `count` rows of `rows` numbers, without gaps.
  ///   - result: The first number of row 0; rows are `stride` apart, and have `columns` numbers.
  package func multiply(
    _ left: UnsafePointer<Float>, count: Int, into result: UnsafeMutablePointer<Float>,
    stride: Int, panels range: Range<Int>
  ) {
    for panel in range {
      var row = 0
      while row + 4 <= count {
        four(left + row * rows, panel, into: result + row * stride, stride: stride)
        row += 4
      }
      while row < count {
        one(left + row * rows, panel, into: result + row * stride)
        row += 1
      }
    }
  }

  private func four(
    _ left: UnsafePointer<Float>, _ panel: Int, into result: UnsafeMutablePointer<Float>,
    stride: Int
  ) {
    var sums = (
      SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero
    )
    let right = start(of: panel)
    let (a, b, c, d) = (left, left + rows, left + 2 * rows, left + 3 * rows)
    for row in 0..<rows {
      let weights = right.loadUnaligned(
        fromByteOffset: row * Self.panelWidth * 4, as: SIMD8<Float>.self)
      sums.0 += a[row] * weights
      sums.1 += b[row] * weights
      sums.2 += c[row] * weights
      sums.3 += d[row] * weights
    }
    store(sums.0, panel, to: result)
    store(sums.1, panel, to: result + stride)
    store(sums.2, panel, to: result + 2 * stride)
    store(sums.3, panel, to: result + 3 * stride)
  }

  private func one(
    _ left: UnsafePointer<Float>, _ panel: Int, into result: UnsafeMutablePointer<Float>
  ) {
    var sum = SIMD8<Float>.zero
    let right = start(of: panel)
    for row in 0..<rows {
      sum +=
        left[row]
        * right.loadUnaligned(fromByteOffset: row * Self.panelWidth * 4, as: SIMD8<Float>.self)
    }
    store(sum, panel, to: result)
  }

  private func start(of panel: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(numbers.baseAddress.unsafelyUnwrapped + panel * rows * Self.panelWidth)
  }

  private func store(_ sum: SIMD8<Float>, _ panel: Int, to row: UnsafeMutablePointer<Float>) {
    let first = panel * Self.panelWidth
    for lane in 0..<min(Self.panelWidth, columns - first) { row[first + lane] = sum[lane] }
  }
}
