/// A Markdown page as plain text, with paragraphs and tables wrapped for a terminal.
///
/// It supports the elements of the pages in `Docs`: headings, paragraphs, flat lists, tables, code
/// and comments.
struct MarkdownText {
  /// The lines, without blank lines at the start and end.
  private(set) var lines: [String] = []

  /// The width of paragraphs in characters.
  static let width = 80
  /// The width of aligned tables.
  static let tableWidth = 100

  /// Creates the text of a page.
  init(_ markdown: String) {
    var rest = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = rest.first {
      if line.allSatisfy(\.isWhitespace) {
        rest.removeFirst()
      } else if line.hasPrefix("<!--") {
        while let line = rest.popFirst(), !line.contains("-->") {}
      } else if line.hasPrefix("```") {
        rest.removeFirst()
        code(rest.prefix { !$0.hasPrefix("```") }.map(String.init))
        rest = rest.drop { !$0.hasPrefix("```") }.dropFirst()
      } else if line.hasPrefix("    ") {
        let block = rest.prefix { $0.isEmpty || $0.hasPrefix("    ") }
        code(block.reversed().drop(while: \.isEmpty).reversed().map { String($0.dropFirst(4)) })
        rest = rest.dropFirst(block.count)
      } else if line.hasPrefix("#") {
        heading(rest.removeFirst())
      } else if line.hasPrefix("|") {
        let rows = rest.prefix { $0.hasPrefix("|") }
        table(rows.map(Self.cells))
        rest = rest.dropFirst(rows.count)
      } else {
        paragraph(&rest)
      }
    }
  }

  // MARK: - Blocks

  /// Adds a blank line before a block.
  private mutating func begin() {
    if !lines.isEmpty { lines.append("") }
  }

  private mutating func code(_ code: [String]) {
    begin()
    lines += code.map { $0.isEmpty ? "" : "    " + $0 }
  }

  private mutating func heading(_ line: Substring) {
    begin()
    let text = Self.plain(line.drop { $0 == "#" }.drop { $0 == " " })
    lines.append(text)
    let level = line.prefix { $0 == "#" }.count
    if level < 3 { lines.append(String(repeating: level == 1 ? "=" : "-", count: text.count)) }
  }

  /// Adds a paragraph or list item, up to the next block.
  private mutating func paragraph(_ rest: inout ArraySlice<Substring>) {
    var words = String(rest.removeFirst())
    let isItem = words.hasPrefix("- ")
    let wasItem = lines.last?.first.map { "- ".contains($0) } ?? false
    while let line = rest.first, !line.isEmpty,
      !["- ", "|", "#", "<!--", "```"].contains(where: line.hasPrefix)
    {
      words += " " + rest.removeFirst().drop { $0 == " " }
    }
    if !(isItem && wasItem) { begin() }
    wrap(Self.plain(words[...]), indent: 0, hanging: isItem ? 2 : 0)
  }

  private mutating func table(_ rows: [[String]]) {
    guard let header = rows.first, rows.count > 2 else { return }
    let body = rows.dropFirst(2)
    let widths = header.indices.map { column in
      ([header] + body).map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    begin()
    guard widths.reduce(0, +) + 2 * (widths.count - 1) > Self.tableWidth else {
      for (index, row) in ([header] + body).enumerated() {
        let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
          .joined(separator: "  ")
        lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        if index == 0 {
          lines.append(
            String(repeating: "-", count: widths.reduce(0, +) + 2 * (widths.count - 1)))
        }
      }
      return
    }
    // A wide table becomes a list of its rows.
    for (index, row) in body.enumerated() {
      if index > 0 { lines.append("") }
      wrap(row[0], indent: 0, hanging: 2)
      for (title, cell) in zip(header, row).dropFirst() where !cell.isEmpty {
        let label = header.count > 2 && !title.isEmpty ? title + ": " : ""
        wrap(label + cell, indent: 4, hanging: 6)
      }
    }
  }

  // MARK: - Text

  /// The cells of a row.
  private static func cells(of row: Substring) -> [String] {
    let hidden = "\u{1}"
    return row.replacing("\\|", with: hidden).dropFirst().split(
      separator: "|", omittingEmptySubsequences: false
    ).dropLast().map { cell in
      plain(cell.replacing(hidden, with: "|")[...]).trimmed
    }
  }

  /// The text without marks of code, emphasis and links.
  ///
  /// A link alone in parentheses becomes the name of the page.
  private static func plain(_ text: Substring) -> String {
    let words = text.replacing(#/\(\[[^\]]*\]\(([^)#]+)[^)]*\)\)/#) { "(see \($0.output.1))" }
      .replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.output.1) }
    return words.split(separator: "`", omittingEmptySubsequences: false).enumerated().map {
      // Every second piece is code, in which an asterisk is literal.
      $0.isMultiple(of: 2)
        ? String($1.replacing(#/\*+([^*]+)\*+/#) { String($0.output.1) }) : String($1)
    }.joined()
  }

  /// Adds text in lines of at most ``width`` characters, unless a word is longer.
  private mutating func wrap(_ text: String, indent: Int, hanging: Int) {
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > Self.width {
        lines.append(line)
        (line, isEmpty) = (String(repeating: " ", count: hanging), true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    lines.append(line)
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
