/// The smallest and largest finite values, and the number of non-finite ones.
package struct FiniteRange: Sendable {
  /// The smallest finite value; infinity if there is none.
  package private(set) var smallest = Float.infinity
  /// The largest finite value; minus infinity if there is none.
  package private(set) var largest = -Float.infinity
  /// The index of the first non-finite value.
  package private(set) var firstNotFinite: Int?
  /// The first non-finite value.
  package private(set) var firstNotFiniteValue: Float?
  /// The number of non-finite values.
  package private(set) var notFinite = 0

  /// Creates an empty range.
  package init() {}

  /// Adds values, the first of which has the index `start`.
  package mutating func add(_ values: UnsafeBufferPointer<Float>, from start: Int) {
    for index in values.indices {
      let value = values[index]
      guard value.isFinite else {
        if notFinite == 0 { (firstNotFinite, firstNotFiniteValue) = (start + index, value) }
        notFinite += 1
        continue
      }
      if value < smallest { smallest = value }
      if value > largest { largest = value }
    }
  }
}

/// The smallest and the largest byte; `nil` if there is none.
package func byteRange(_ bytes: UnsafeBufferPointer<UInt8>) -> ClosedRange<UInt8>? {
  guard var smallest = bytes.first else { return nil }
  var largest = smallest
  for byte in bytes {
    smallest = min(smallest, byte)
    largest = max(largest, byte)
  }
  return smallest...largest
}
