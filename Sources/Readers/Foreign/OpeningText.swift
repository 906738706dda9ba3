/// The first bytes of a file as text, worked out once for all formats that ask.
struct OpeningText: Sendable {
  /// Without a byte order mark and white space before it; empty where the bytes are no text.
  let text: String
  /// Without any of the white space that JSON allows.
  let compact: String

  /// What `bytes` say.
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
