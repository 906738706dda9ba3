internal import CEmitted
import ModelIR

/// The text of a file in the folder `Emitted`: code that packages have as it is, but for placeholders, and for pieces
/// that not every network needs.
///
/// A piece is in `#if` with its name, so that the files compile as they are. In a package there is no `#if`: its lines
/// are there or not.
struct RuntimeSource {
  private let text: String

  /// The text of an embedded file.
  init(_ file: netconv_emitted_file) {
    text = String(
      decoding: UnsafeBufferPointer(start: file.start, count: file.size), as: UTF8.self)
  }

  /// The text with `pieces`, and with `values` in the place of placeholders.
  func text(with pieces: RuntimePieces, _ values: RuntimeValues) -> String {
    lines(with: pieces).joined(separator: "\n").replacing(values.values)
  }

  /// The lines without `#if`, `#else` and `#endif`; a piece that is left out takes the blank line in front of it along.
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

  /// An `#if` that is open.
  private struct Condition {
    /// Whether the lines that follow are wanted.
    var isMet: Bool
    /// Whether there are lines for either case.
    var hasElse = false

    /// At `#else`.
    mutating func turn() {
      isMet.toggle()
      hasElse = true
    }
  }
}
