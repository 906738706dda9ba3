import ModelIR

/// A JSON parser that produces a ``JSONValue`` and reports the position of the first error.
///
/// Source: RFC 8259, plus the literals `NaN`, `Infinity` and `-Infinity`, which Python's json module writes.
struct JSONParser {
  /// The position and description of the first error.
  struct Mistake: Error, Equatable {
    /// The line, counted from 1.
    let line: Int
    /// The column in bytes, counted from 1.
    let column: Int
    /// The description of the error.
    let message: String
  }

  /// The maximum nesting depth: deeper documents are not ours, and would exhaust the stack.
  private static let depthLimit = 512
  /// The number of values that any document may have.
  private static let unquestionedValues = 1 << 21
  /// The number of bytes required for each further value; a number among a network's weights takes ten.
  private static let leastBytes = 6

  private struct Failure: Error {
    let message: String
  }

  private let input: UnsafeBufferPointer<UInt8>
  private let refusesRepeatedKeys: Bool
  private var position = 0
  /// The number of further values allowed: consecutive empty lists take twenty times the text's size in memory.
  private var valuesLeft: Int

  /// Parses `bytes`.
  ///
  /// - Throws: the first error.
  static func parse(
    _ bytes: [UInt8], refusesRepeatedKeys: Bool = false
  ) throws(Mistake) -> JSONValue {
    try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(Mistake) in
        try parse(buffer, refusesRepeatedKeys)
      }
    }.get()
  }

  private static func parse(
    _ input: UnsafeBufferPointer<UInt8>, _ refusesRepeatedKeys: Bool
  ) throws(Mistake) -> JSONValue {
    var parser = JSONParser(input: input, refusesRepeatedKeys: refusesRepeatedKeys)
    do throws(Failure) {
      let value = try parser.value(depth: 0)
      parser.skipSpace()
      guard parser.current == nil else { throw parser.unexpected("the end") }
      return value
    } catch {
      let before = input[..<min(parser.position, input.count)]
      let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      throw Mistake(
        line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - lineStart + 1,
        message: error.message)
    }
  }

  private init(input: UnsafeBufferPointer<UInt8>, refusesRepeatedKeys: Bool) {
    self.input = input
    self.refusesRepeatedKeys = refusesRepeatedKeys
    valuesLeft = Self.unquestionedValues + input.count / Self.leastBytes
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    skipSpace()
    guard depth < Self.depthLimit else {
      throw Failure(message: "nested more than \(Self.depthLimit) levels deep")
    }
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw Failure(message: "more values than a network needs") }
    switch current ?? 0 {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "-") where !isNext("-I"): return .number(try number())
    default: return try literal()
    }
  }
}

// MARK: - Containers

extension JSONParser {
  private mutating func members(depth: Int) throws(Failure) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    guard try !isClosed("}") else { return members }
    repeat {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
      let key = try string()
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw unexpected("':'") }
      position += 1
      let value = try value(depth: depth + 1)
      if refusesRepeatedKeys, members[key] != nil {
        throw Failure(message: "the key \(quoted(key)) occurs twice")
      }
      members[key] = value
    } while try isContinued(orClosedBy: "}")
    return members
  }

  private mutating func elements(depth: Int) throws(Failure) -> [JSONValue] {
    var elements: [JSONValue] = []
    guard try !isClosed("]") else { return elements }
    repeat {
      elements.append(try value(depth: depth + 1))
    } while try isContinued(orClosedBy: "]")
    return elements
  }

  /// Consumes the opening character, and the closing one if there is nothing in between.
  private mutating func isClosed(_ closing: Unicode.Scalar) throws(Failure) -> Bool {
    position += 1
    skipSpace()
    guard current == UInt8(ascii: closing) else { return false }
    position += 1
    return true
  }

  private mutating func isContinued(
    orClosedBy closing: Unicode.Scalar
  ) throws(Failure) -> Bool {
    skipSpace()
    switch current {
    case UInt8(ascii: ","):
      position += 1
      return true
    case UInt8(ascii: closing):
      position += 1
      return false
    default: throw unexpected("',' or '\(closing)'")
    }
  }
}

// MARK: - Plain values

extension JSONParser {
  private mutating func string() throws(Failure) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = current, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw Failure(message: "a control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        text += try escaped().utf8
      } else {
        text.append(byte)
      }
    }
    guard current != nil else { throw unexpected("'\"'") }
    guard let string = String(utf8: text) else {
      throw Failure(message: "a string with invalid UTF-8 ends here")
    }
    position += 1
    return string
  }

  private mutating func escaped() throws(Failure) -> Character {
    let byte = current ?? 0
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      position -= 1
      throw unexpected("an escape such as \\n")
    }
  }

  /// Parses a scalar of four hexadecimal digits, or a surrogate pair.
  private mutating func unicodeEscape() throws(Failure) -> Character {
    let start = position - 2
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    // A replacement character would make two names equal that differ in a lone surrogate.
    let half = "a lone surrogate, \\u\(String(first, radix: 16)), which is half of a character"
    guard (0xd800..<0xdc00).contains(first), isNext("\\u") else {
      position = start
      throw Failure(message: half)
    }
    position += 2
    let second = try hexadecimal()
    guard (0xdc00..<0xe000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else {
      position = start
      throw Failure(message: half)
    }
    return Character(scalar)
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    let digits = String(decoding: rest.prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16)
    else { throw unexpected("four hexadecimal digits") }
    position += 4
    return value
  }

  private mutating func number() throws(Failure) -> Double {
    let start = position
    while let byte = current, Self.isNumeric(byte) { position += 1 }
    let text = String(decoding: input[start..<position], as: UTF8.self)
    let digits = text.drop { $0 == "-" }
    guard let value = Double(text), value.isFinite || text.contains("e") || text.contains("E"),
      text.last != ".", digits.first != "+",
      digits.count == 1 || !digits.hasPrefix("0")
        || digits.dropFirst().first.map({ ".eE".contains($0) }) ?? true
    else {
      position = start
      throw Failure(message: "\(quoted(text.prefix(20))) is not a number")
    }
    return value
  }

  private mutating func literal() throws(Failure) -> JSONValue {
    for (word, value) in Self.literals where isNext(word) {
      position += word.utf8CodeUnitCount
      return value
    }
    throw unexpected("a value")
  }

  private func isNext(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard input.count - position >= count else { return false }
    return (0..<count).allSatisfy { input[position + $0] == word.utf8Start[$0] }
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    case UInt8(ascii: "e"), UInt8(ascii: "E"): true
    default: false
    }
  }

  private static let literals: [(StaticString, JSONValue)] = [
    ("true", .bool(true)), ("false", .bool(false)), ("null", .null), ("NaN", .number(.nan)),
    ("Infinity", .number(.infinity)), ("-Infinity", .number(-.infinity)),
  ]
}

// MARK: - Position

extension JSONParser {
  private var current: UInt8? { position < input.count ? input[position] : nil }

  private var rest: Swift.Slice<UnsafeBufferPointer<UInt8>> { input[min(position, input.count)...] }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private func unexpected(_ expected: String) -> Failure {
    guard current != nil else {
      return Failure(message: "the text ends, expected \(expected)")
    }
    let found = String(decoding: rest.prefix(12), as: UTF8.self).prefix(8)
      .prefix { $0 != "\n" && $0 != "\r" }
    return Failure(message: "found \(quoted(found)), expected \(expected)")
  }
}
