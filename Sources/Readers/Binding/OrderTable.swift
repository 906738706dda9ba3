/// Which rows fit which columns, and the ways to give each row a column of its own that keep the order of both.
struct OrderTable {
  /// What there is.
  enum Assignment: Equatable {
    /// One way: the column of each row.
    case unique([Int])
    /// No way: the first row that no column is left for.
    case none(row: Int)
    /// Several: the first row that can have two columns, and these.
    case several(row: Int, Int, Int)
  }

  private let fits: [[Bool]]
  private let columns: Int

  init(_ fits: [[Bool]]) {
    self.fits = fits
    columns = fits.first?.count ?? 0
  }

  /// The only way, or why there is none.
  ///
  /// Rows that take the first column they can, from above, give the leftmost way; from below and from the right, the
  /// rightmost. If both are the same, there is no other: each row's column lies between its columns in the two.
  var assignment: Assignment {
    var leftmost: [Int] = []
    for (row, fits) in fits.enumerated() {
      let first = leftmost.last.map { $0 + 1 } ?? 0
      guard let column = (first..<max(first, columns)).first(where: { fits[$0] }) else {
        return .none(row: row)
      }
      leftmost.append(column)
    }
    var rightmost: [Int] = []
    for fits in fits.reversed() {
      let last = rightmost.last ?? columns
      rightmost.append((0..<last).last { fits[$0] } ?? 0)
    }
    rightmost.reverse()
    for (row, pair) in zip(leftmost, rightmost).enumerated() where pair.0 != pair.1 {
      return .several(row: row, pair.0, pair.1)
    }
    return .unique(leftmost)
  }
}
