import ModelIR

extension PickleMachine {
  /// Reads the string or byte string that the current operation pushes.
  mutating func text() throws(NetconvError) -> PickleValue {
    switch opcode {
    case .string: return try quotedLine()
    case .unicode: return try escapedLine()
    case .shortBinunicode, .shortBinstring: return try text(of: Int(try input.byte()))
    case .binunicode, .binunicode8: return try text(of: try length())
    case .binstring:
      // Python reads this length as a signed number.
      let count = try length()
      guard count <= Int(Int32.max) else { throw error("has a text of a negative length") }
      return try text(of: count)
    case .shortBinbytes: return keep(.place(try input.skip(Int(try input.byte()))))
    default: return keep(.place(try input.skip(try length())))
    }
  }

  /// Reads the number of following bytes, stored in 4 or 8 bytes.
  private mutating func length() throws(NetconvError) -> Int {
    let isWide = [.binunicode8, .binbytes8, .bytearray8].contains(opcode)
    let count = try input.number(bytes: isWide ? 8 : 4)
    guard count <= UInt64(input.left) else {
      throw error("has \(count) bytes, and only \(input.left) are left")
    }
    return Int(count)
  }

  /// Reads a string; if it is not UTF-8, as for bytes in Python 2, its range instead.
  private mutating func text(of count: Int) throws(NetconvError) -> PickleValue {
    guard count <= input.left else {
      throw error("has \(count) bytes, and only \(input.left) are left")
    }
    let start = input.position
    try self.count(textOf: count)
    if let text = String(utf8: try input.bytes(count)) { return .text(text) }
    return keep(.place(start..<start + count))
  }

  // MARK: - Protocol 0

  /// Reads a quoted string literal of Python 2.
  private mutating func quotedLine() throws(NetconvError) -> PickleValue {
    let line = try textLine()
    guard let quote = line.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""),
      line.count >= 2, line.last == quote
    else { throw error("has a text without quotes") }
    guard let bytes = Self.unescaped(line[1..<line.count - 1]) else {
      throw error("has a text with an invalid escape")
    }
    return String(utf8: bytes).map { .text($0) } ?? keep(.memory(bytes))
  }

  /// Source: CPython, Objects/bytesobject.c, `_PyBytes_DecodeEscape`.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      if let plain = escapes[escaped] {
        bytes.append(plain)
      } else if escaped == UInt8(ascii: "x") {
        guard rest.count >= 2, let value = hexadecimalNumber(rest.prefix(2)) else { return nil }
        bytes.append(UInt8(value))
        rest = rest.dropFirst(2)
      } else if (0x30...0x37).contains(escaped) {
        let digits = [escaped] + rest.prefix(2).prefix { (0x30...0x37).contains($0) }
        rest = rest.dropFirst(digits.count - 1)
        bytes.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
      } else {
        bytes += [byte, escaped]
      }
    }
    return bytes
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "'"): UInt8(ascii: "'"),
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8,
    UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    UInt8(ascii: "v"): 11,
  ]

  /// Reads a Latin-1 string with `\u` and `\U` escapes.
  private mutating func escapedLine() throws(NetconvError) -> PickleValue {
    let line = try textLine()
    var units: [UInt16] = []
    var rest = line[...]
    while let byte = rest.popFirst() {
      let kind = rest.first
      guard byte == UInt8(ascii: "\\"), kind == UInt8(ascii: "u") || kind == UInt8(ascii: "U")
      else {
        units.append(UInt16(byte))
        continue
      }
      let count = kind == UInt8(ascii: "u") ? 4 : 8
      let digits = rest.dropFirst().prefix(count)
      guard digits.count == count, let value = Self.hexadecimalNumber(digits), value <= 0x10_ffff
      else { throw error("has a text with an invalid escape") }
      rest = rest.dropFirst(1 + count)
      if value < 0x10000 {
        units.append(UInt16(value))
      } else {
        units += [UInt16(0xd7c0 + value >> 10), UInt16(0xdc00 + value & 0x3ff)]
      }
    }
    return String(validating: units, as: UTF16.self).map { .text($0.exact) } ?? keep(.memory(line))
  }

  private static func hexadecimalNumber(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
