import Foundation

/// A block of code on a page, as Tools/interop/documentation.py finds it.
struct DocumentationBlock {
  /// `README.md:17`.
  let place: String
  /// The language; empty for an indented block.
  let language: String
  let lines: [Substring]
  /// The comments before the block, by their first words.
  let remarks: [String: String]

  private static let keys = [
    "not run", "run by", "excerpt of", "written to", "setup", "before", "after", "varies",
  ]

  /// The whole code, including parts that are hidden from readers.
  var text: String {
    ([remarks["before"]].compactMap(\.self) + lines.map(String.init)
      + [remarks["after"]].compactMap(\.self)).joined(separator: "\n")
  }

  /// True if a comment states why the block is not run, what else runs it, or what its text is for.
  var isMarked: Bool {
    ["not run", "run by", "excerpt of", "written to"].contains {
      remarks[$0].map { !$0.isEmpty } ?? false
    }
  }

  /// True if blocks of this language are run.
  var isRun: Bool {
    switch language {
    case "swift", "python": true
    case "":
      lines[0].hasPrefix("$ ") || lines[0].hasPrefix("netconv ")
        || lines.allSatisfy { $0.isEmpty || $0.hasPrefix("make ") }
    default: false
    }
  }

  /// The code as a file of its own, in a type so that several can declare the same names.
  func module(_ name: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let imports = lines.filter { $0.hasPrefix("import ") }
    let code = lines.filter { !$0.hasPrefix("import ") }
    return (imports + ["enum \(name) {"] + code + ["}", ""]).joined(separator: "\n")
  }

  /// The blocks of a page.
  static func all(in text: String, of page: String) -> [DocumentationBlock] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var blocks: [DocumentationBlock] = []
    var remarks: [String: String] = [:]
    var index = 0
    while index < lines.count {
      let line = lines[index]
      let isFenced = line.hasPrefix("```")
      if line.hasPrefix("<!--") {
        let end = lines[index...].firstIndex { $0.contains("-->") } ?? lines.count - 1
        read(lines[index...end].joined(separator: "\n"), into: &remarks)
        index = end + 1
      } else if isFenced || (line.hasPrefix("    ") && (index == 0 || isBlank(lines[index - 1]))) {
        let start = isFenced ? index + 1 : index
        var end =
          lines[start...].firstIndex {
            isFenced ? $0 == "```" : !isBlank($0) && !$0.hasPrefix("    ")
          } ?? lines.count
        index = isFenced ? end + 1 : end
        while !isFenced, isBlank(lines[end - 1]) { end -= 1 }
        blocks.append(
          DocumentationBlock(
            place: "\(page):\(start + 1)", language: isFenced ? String(line.dropFirst(3)) : "",
            lines: lines[start..<end].map { isFenced ? $0 : $0.dropFirst(4) }, remarks: remarks))
        // A fence without a language is of no language that anything runs.
        if isFenced, line == "```" { blocks[blocks.count - 1] = blocks[blocks.count - 1].unknown }
        remarks = [:]
      } else {
        if !isBlank(line) { remarks = [:] }
        index += 1
      }
    }
    return blocks
  }

  private var unknown: DocumentationBlock {
    DocumentationBlock(place: place, language: "unknown", lines: lines, remarks: remarks)
  }

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  private static func read(_ comment: String, into remarks: inout [String: String]) {
    guard let end = comment.range(of: "-->") else { return }
    let text = comment[..<end.lowerBound].dropFirst(4).trimmed
    guard let key = keys.first(where: { text.hasPrefix($0 + ":") }) else { return }
    remarks[key] = String(text.dropFirst(key.count + 1).trimmed)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
    return start[...last]
  }
}
