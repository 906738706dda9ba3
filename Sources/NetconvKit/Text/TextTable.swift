/// A table for people: columns as wide as their widest cell, two spaces apart.
package struct TextTable {
  package enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// A table with a header.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  /// Adds a row with a cell per column.
  package mutating func append(_ cells: String...) {
    rows.append(cells.map(Self.printable))
  }

  /// Adds a row with a cell per column.
  package mutating func append(_ cells: [String]) {
    rows.append(cells.map(Self.printable))
  }

  /// The lines: the header, a rule, the rows.
  package var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += alignments[column] == .left ? cell + padding : padding + cell
        line += "  "
      }
      while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
      return line
    }
    lines.insert(
      String(repeating: "-", count: widths.reduce(0, +) + 2 * (widths.count - 1)), at: 1)
    return lines
  }

  /// A name from a file without control characters, and not so long that the table breaks.
  private static func printable(_ cell: String) -> String {
    let limit = 60
    let text = String(
      cell.unicodeScalars.map { scalar in
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) ? "?" : Character(scalar)
      })
    return text.count <= limit ? text : text.prefix(limit - 12) + "…" + text.suffix(11)
  }
}
