extension String {
  /// The text that `bytes` are in UTF-8; `nil` if they are none.
  ///
  /// The standard library's own initialiser takes several times as long for a name in ASCII, and an index of a
  /// checkpoint holds little else.
  package init?(utf8 bytes: [UInt8]) {
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      self.init(validating: bytes, as: UTF8.self)
      return
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
