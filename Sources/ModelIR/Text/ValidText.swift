extension String {
  /// Decodes UTF-8 bytes of a file, encoded as ``exact``; `nil` if they are invalid.
  ///
  /// The standard library's own initialiser takes several times as long for ASCII names, and the index of a checkpoint
  /// contains little else.
  package init?(utf8 bytes: [UInt8]) {
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = text.exact
      return
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
