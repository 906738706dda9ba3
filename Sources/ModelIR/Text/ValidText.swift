extension String {
  /// The text that `bytes` of a file are in UTF-8, held as ``exact``; `nil` if they are none.
  ///
  /// The standard library's own initialiser takes several times as long for a name in ASCII, and an index of a
  /// checkpoint holds little else.
  package init?(utf8 bytes: [UInt8]) {
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = text.exact
      return
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
