/// The first bytes of a file as text, decoded once for all formats.
struct OpeningText: Sendable {
  /// The text without a byte order mark or leading white space; empty if the bytes are not text.
  let text: String
  /// The text without any JSON white space.
  let compact: String

  /// Decodes `bytes`.
  init(_ bytes: [UInt8]) {
    // Nearly every binary file has a zero among its first bytes.
    guard !bytes.contains(0) else {
      (text, compact) = ("", "")
      return
    }
    let marked = bytes.starts(with: [0xef, 0xbb, 0xbf])
    let start = bytes.dropFirst(marked ? 3 : 0).drop(while: Self.isSpace)
    text = String(decoding: start, as: UTF8.self)
    compact = String(decoding: start.filter { !Self.isSpace($0) }, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }
}
