internal import CEmitted
import ModelIR

/// The text of a file in the folder `Emitted`: code that packages copy, apart from placeholders and
/// optional pieces.
///
/// A piece is in `#if` with its name, so that the files compile unchanged. Packages contain no
/// `#if`, only the lines of the pieces that they need.
struct RuntimeSource {
  private let text: String

  /// Creates the source from an embedded file.
  init(_ file: netconv_emitted_file) {
    text = String(
      decoding: UnsafeBufferPointer(start: file.start, count: file.size), as: UTF8.self)
  }

  /// Returns the text with `pieces`, and with placeholders replaced by `values`.
  func text(with pieces: RuntimePieces, _ values: RuntimeValues) -> String {
    lines(with: pieces).joined(separator: "\n").replacing(values.values)
  }

  /// The lines without `#if`, `#else` and `#endif`.
  ///
  /// The blank line before an omitted piece is omitted too.
  private func lines(with pieces: RuntimePieces) -> [Substring] {
    var lines: [Substring] = []
    var conditions: [Condition] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isCondition = line.utf8.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "#")
      let words = isCondition ? line.split(separator: " ") : []
      switch words.first {
      case "#if":
        precondition(words.count == 2, "a condition is the name of a piece")
        conditions.append(Condition(isMet: pieces.contains(words[1])))
      case "#else":
        conditions[conditions.count - 1].turn()
      case "#endif":
        let condition = conditions.removeLast()
        let isRead = conditions.allSatisfy(\.isMet)
        if isRead, !condition.isMet, !condition.hasElse, lines.last == "" { lines.removeLast() }
      default:
        if conditions.allSatisfy(\.isMet) { lines.append(line) }
      }
    }
    return lines
  }

  /// An open `#if`.
  private struct Condition {
    /// True if the following lines are kept.
    var isMet: Bool
    /// True if `#else` was found.
    var hasElse = false

    /// Handles `#else`.
    mutating func turn() {
      isMet.toggle()
      hasElse = true
    }
  }
}
