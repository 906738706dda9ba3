import ModelIR

/// Unicode escapes in JSON, such as `\u0301`, for scalars whose normalisation would make different names equal in
/// Swift.
enum JSONEscapes {
  /// Returns the text with such scalars, escaped or not, encoded as ``Swift/String/exact``; other bytes are unchanged.
  static func exact(_ bytes: [UInt8]) -> [UInt8] {
    let hasEscapes = bytes.range(of: Array(#"\u"#.utf8)) != nil
    guard hasEscapes || bytes.contains(where: { $0 >= 0x80 }), let text = String(utf8: bytes) else {
      return bytes
    }
    guard hasEscapes else { return Array(text.utf8) }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        rest.removeFirst()
        continue
      }
      let escape = escape(at: rest)
      let held = escape.scalar.map { String($0).exact }
      if let held, held.unicodeScalars.count > 1 {
        result += Array(held.utf8)
      } else {
        result += rest.prefix(escape.count)
      }
      rest = rest.dropFirst(escape.count)
    }
    return result
  }

  /// Returns the length in bytes of the escape at the start of `text`, and its scalar; surrogate pairs count as one
  /// escape.
  private static func escape(at text: ArraySlice<UInt8>) -> (count: Int, scalar: Unicode.Scalar?) {
    guard let first = unit(at: text) else { return (2, nil) }
    if let scalar = Unicode.Scalar(first) { return (6, scalar) }
    guard (0xd800..<0xdc00).contains(first), let second = unit(at: text.dropFirst(6)),
      (0xdc00..<0xe000).contains(second)
    else { return (6, nil) }
    return (12, Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)))
  }

  /// Returns the value of an escape such as `\u0301`.
  private static func unit(at text: ArraySlice<UInt8>) -> UInt32? {
    guard text.starts(with: #"\u"#.utf8) else { return nil }
    let digits = text.dropFirst(2).prefix(4)
    return digits.count == 4 ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
