extension String {
  /// What stands before the last slash, and behind it; without a slash the scope is empty.
  var scopeAndLast: (scope: String, last: String) { splitAtLast("/") }

  /// What stands before the last `separator`, and what behind it; all of a text without one is behind it.
  ///
  /// - Precondition: the separator is ASCII.
  func splitAtLast(_ separator: Unicode.Scalar) -> (scope: String, last: String) {
    guard let place = utf8.lastIndex(of: UInt8(ascii: separator)) else { return ("", self) }
    return (String(self[..<place]), String(self[utf8.index(after: place)...]))
  }
}
