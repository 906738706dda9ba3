/// A table of the columns that fit each row, and its order-preserving assignments of one column to each row.
struct OrderTable {
  /// The number of possible assignments.
  enum Assignment: Equatable {
    /// Exactly one: the column of each row.
    case unique([Int])
    /// None: the first row without a free column.
    case none(row: Int)
    /// Several: the first row with more than one possible column, and two of these.
    case several(row: Int, Int, Int)
  }

  private let fits: [[Bool]]
  private let columns: Int

  init(_ fits: [[Bool]]) {
    self.fits = fits
    columns = fits.first?.count ?? 0
  }

  /// The unique assignment, or the reason why there is none.
  ///
  /// Assigning each row the first free column from the top yields the leftmost assignment; from the bottom and the
  /// right, the rightmost. If both are equal, the assignment is unique: the column of each row is between its columns
  /// in the two.
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
