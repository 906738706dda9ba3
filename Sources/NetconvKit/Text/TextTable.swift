import ModelIR

/// A text table in which each column is as wide as its widest cell, with two spaces between columns.
package struct TextTable {
  package enum Alignment {
    case left
    case right
    /// Left-aligned; cells may be shortened in the middle if the table is too wide for a terminal.
    case name
  }

  /// The text of a cell, and its width in characters.
  fileprivate struct Cell {
    let text: String
    let width: Int
  }

  private let alignments: [Alignment]
  /// The cells, row by row.
  private var cells: [Cell]

  /// Creates a table with a header.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    cells = columns.map { Cell($0.title) }
  }

  /// Adds a row with one cell per column.
  package mutating func append(_ cells: String...) {
    append(cells)
  }

  /// Adds a row with one cell per column.
  package mutating func append(_ texts: [String]) {
    precondition(texts.count == alignments.count, "\(texts)")
    for text in texts { cells.append(Cell(printing: text)) }
  }

  /// The number of rows, including the header.
  private var rowCount: Int { cells.count / alignments.count }

  private func cell(_ row: Int, _ column: Int) -> Cell { cells[row * alignments.count + column] }

  /// Returns the lines: the header, a rule, the rows.
  ///
  /// - Parameter limit: the maximum number of characters in a line; `nil` to cut nothing. Lines may still be longer,
  ///   because numbers are never cut, and names only as far as they stay distinct.
  package func lines(within limit: Int? = nil) -> [String] {
    let widths = limit.map(widths(within:)) ?? ownWidths
    var lines: [String] = []
    lines.reserveCapacity(rowCount + 1)
    for row in 0..<rowCount {
      lines.append(line(row, widths, shortensNames: limit != nil))
      if lines.count == 1 { lines.append(String(repeating: "-", count: Self.total(widths))) }
    }
    return lines
  }

  private func line(_ row: Int, _ widths: [Int], shortensNames: Bool) -> String {
    var line: [UInt8] = []
    line.reserveCapacity(2 * Self.total(widths))
    // Spaces are written only before further text, so that no line ends in one.
    var blanks = 0
    for (column, width) in widths.enumerated() {
      var cell = cell(row, column)
      if shortensNames, alignments[column] == .name { cell = cell.shortened(to: width) }
      let padding = max(0, width - cell.width)
      if alignments[column] == .right { blanks += padding }
      if !cell.text.isEmpty {
        line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: blanks))
        line.append(contentsOf: cell.text.utf8)
        blanks = 0
      }
      if alignments[column] != .right { blanks += padding }
      blanks += 2
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// The widths of the columns without a limit.
  ///
  /// Cells that are longer than any reasonable name exceed the width of their column.
  private var ownWidths: [Int] {
    let longest = 120
    return alignments.indices.map { column in
      cellWidths(column).filter { $0 <= longest }.max() ?? 0
    }
  }

  /// Returns widths within `limit`; the widest column of names is reduced first.
  private func widths(within limit: Int) -> [Int] {
    let least = alignments.indices.map { alignments[$0] == .name ? leastWidth($0) : 0 }
    var widths = alignments.indices.map { cellWidths($0).max() ?? 0 }
    while Self.total(widths) > limit {
      let names = widths.indices.filter { alignments[$0] == .name && widths[$0] > least[$0] }
      guard let widest = names.max(by: { widths[$0] < widths[$1] }) else { break }
      // No narrower than the next column of names, so that all are reduced evenly.
      let next = max(
        names.map { widths[$0] }.filter { $0 < widths[widest] }.max() ?? 0, least[widest])
      let excess = Self.total(widths) - limit
      widths[widest] -= min(excess, max(1, widths[widest] - next))
    }
    return widths
  }

  /// Returns the smallest width to which names of a column can be cut while they stay distinct.
  private func leastWidth(_ column: Int) -> Int {
    let least = 12
    let names = Set((0..<rowCount).map { cell($0, column).text })
    let longest = names.map(\.count).max() ?? 0
    guard longest > least else { return least }
    return (least...longest).first { width in
      Set(names.map { TextTable.Cell($0).shortened(to: width).text }).count == names.count
    } ?? longest
  }

  private func cellWidths(_ column: Int) -> [Int] { (0..<rowCount).map { cell($0, column).width } }

  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + 2 * (widths.count - 1)
  }
}

extension TextTable.Cell {
  /// Creates a cell with text that needs no escaping.
  fileprivate init(_ text: String) {
    self.init(text: text, width: text.count)
  }

  /// Creates a cell with text from a file, with hidden characters escaped.
  fileprivate init(printing text: String) {
    // A fast path for ASCII, which nearly all texts are.
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) {
      self.init(text: text, width: text.utf8.count)
    } else {
      self.init(escaped(text))
    }
  }

  /// Returns the start and the end of a name, since names differ less often in the middle.
  fileprivate func shortened(to width: Int) -> TextTable.Cell {
    guard self.width > width, width > 1 else { return self }
    let end = (width - 1) / 2
    return TextTable.Cell(text.prefix(width - 1 - end) + "…" + text.suffix(end))
  }
}
