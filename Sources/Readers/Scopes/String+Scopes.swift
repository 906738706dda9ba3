extension String {
  /// The text before and after the last slash; without a slash the scope is empty.
  var scopeAndLast: (scope: String, last: String) { splitAtLast("/") }

  /// Splits the text at the last `separator`; without a separator the scope is empty.
  ///
  /// - Precondition: The separator is ASCII.
  func splitAtLast(_ separator: Unicode.Scalar) -> (scope: String, last: String) {
    guard let place = utf8.lastIndex(of: UInt8(ascii: separator)) else { return ("", self) }
    return (String(self[..<place]), String(self[utf8.index(after: place)...]))
  }
}
