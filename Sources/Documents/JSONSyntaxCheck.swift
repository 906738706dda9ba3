/// Finds where a text stops being JSON; Foundation's decoder only says that it does.
///
/// Source: RFC 8259, section 2.
struct JSONSyntaxCheck {
  /// The place and nature of the first mistake.
  struct Mistake: Equatable {
    /// Counted from 1.
    let line: Int
    /// Counted from 1, in bytes.
    let column: Int
    /// What was found where.
    let message: String
  }

  /// Deeper nesting is refused, as by Foundation's decoder.
  private static let depthLimit = 512

  private struct Failure: Error {
    let message: String
  }

  private let input: [UInt8]
  private var position = 0

  /// The first mistake, or `nil` if there is none.
  static func firstMistake(in input: [UInt8]) -> Mistake? {
    var check = JSONSyntaxCheck(input: input)
    do throws(Failure) {
      try check.value(depth: 0)
      check.skipSpace()
      if check.position < input.count { throw check.unexpected("the end") }
      return nil
    } catch {
      let before = input[..<min(check.position, input.count)]
      let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      return Mistake(
        line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - lineStart + 1,
        message: error.message)
    }
  }

  private init(input: [UInt8]) {
    self.input = input
  }

  private mutating func value(depth: Int) throws(Failure) {
    skipSpace()
    guard depth < Self.depthLimit else {
      throw Failure(message: "nested more than \(Self.depthLimit) levels deep")
    }
    switch current ?? 0 {
    case UInt8(ascii: "{"): try members(depth: depth, closing: "}", areNamed: true)
    case UInt8(ascii: "["): try members(depth: depth, closing: "]", areNamed: false)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default: try literal()
    }
  }

  private mutating func members(
    depth: Int, closing: Unicode.Scalar, areNamed: Bool
  ) throws(Failure) {
    position += 1
    skipSpace()
    if current == UInt8(ascii: closing) {
      position += 1
      return
    }
    while true {
      if areNamed {
        skipSpace()
        guard current == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
        try string()
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw unexpected("':'") }
        position += 1
      }
      try value(depth: depth + 1)
      skipSpace()
      guard current == UInt8(ascii: ",") else { break }
      position += 1
    }
    guard current == UInt8(ascii: closing) else { throw unexpected("',' or '\(closing)'") }
    position += 1
  }

  private mutating func string() throws(Failure) {
    position += 1
    while let byte = current, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw Failure(message: "a control character in a string") }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard current != nil else { throw unexpected("'\"'") }
    position += 1
  }

  private mutating func number() throws(Failure) {
    let characters = Set("+-.0123456789eE".utf8)
    let start = position
    while let byte = current, characters.contains(byte) { position += 1 }
    let text = String(decoding: input[start..<position], as: UTF8.self)
    guard Double(text) != nil, text.last != "." else {
      position = start
      throw Failure(message: "'\(text.prefix(20))' is not a number")
    }
  }

  private mutating func literal() throws(Failure) {
    for word in ["true", "false", "null"] where input[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return
    }
    throw unexpected("a value")
  }

  private var current: UInt8? { position < input.count ? input[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
  }

  private func unexpected(_ expected: String) -> Failure {
    guard position < input.count else {
      return Failure(message: "the text ends, expected \(expected)")
    }
    let found = String(decoding: input[position...].prefix(12), as: UTF8.self).prefix(8)
    return Failure(message: "found \(quotedText(found)), expected \(expected)")
  }

  private func quotedText(_ text: Substring) -> String {
    "'" + text.prefix { $0 != "\n" && $0 != "\r" } + "'"
  }
}
