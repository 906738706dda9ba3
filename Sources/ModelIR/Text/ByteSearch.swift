extension [UInt8] {
  /// Returns the range of the first occurrence of `pattern`, which must not be empty; `nil` if there is none.
  package func range(of pattern: [UInt8]) -> Range<Int>? {
    guard let first = pattern.first, pattern.count <= count else { return nil }
    for start in 0...count - pattern.count
    where self[start] == first && self[start...].starts(with: pattern) {
      return start..<start + pattern.count
    }
    return nil
  }
}

extension String {
  /// Returns the text with each of `words` replaced by its value, in one pass: replacements are not searched again.
  ///
  /// If two words match at the same position, the first in the list wins.
  package func replacing(_ words: [(word: String, value: String)]) -> String {
    let words = words.map { (Array($0.word.utf8)[...], $0.value.utf8) }
    let firstBytes = Set(words.compactMap(\.0.first))
    let isFirst = (UInt8.min...UInt8.max).map(firstBytes.contains)
    let bytes = Array(utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if isFirst[Int(bytes[index])],
        let (word, value) = words.first(where: { bytes[index...].starts(with: $0.0) })
      {
        result += value
        index += word.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
