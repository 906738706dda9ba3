extension [UInt8] {
  /// Where `pattern` is first, which is not empty; `nil` if it is nowhere.
  package func range(of pattern: [UInt8]) -> Range<Int>? {
    guard let first = pattern.first, pattern.count <= count else { return nil }
    for start in 0...count - pattern.count
    where self[start] == first && self[start...].starts(with: pattern) {
      return start..<start + pattern.count
    }
    return nil
  }
}
