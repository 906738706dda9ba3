import ModelIR

extension KeyedDecodingContainer {
  /// Checks the format and the version of a document.
  ///
  /// - Throws: `badData` if either differs.
  func check(_ format: String, _ formatKey: Key, _ version: Int, _ versionKey: Key) throws {
    let found = try decode(String.self, forKey: formatKey)
    guard found == format else { throw NetconvError.wrongFormat(found, expected: format) }
    let number = try decode(Int.self, forKey: versionKey)
    guard number == version else { throw NetconvError.wrongVersion(number, expected: version) }
  }
}
