extension [UInt8] {
  /// The first place of `pattern`, which is not empty; `nil` if it is nowhere.
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
  /// The text with a value in the place of each of `words`, in one pass: what is put in is not looked at again.
  ///
  /// Where two words begin at a place, the first of the list is taken.
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
