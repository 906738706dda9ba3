/// The smallest and the largest of values that are finite, and what there is of others.
package struct FiniteRange: Sendable {
  /// Infinite if there is no finite value.
  package private(set) var smallest = Float.infinity
  /// Minus infinity if there is no finite value.
  package private(set) var largest = -Float.infinity
  /// The index of the first value that is not finite.
  package private(set) var firstNotFinite: Int?
  /// The first value that is not finite.
  package private(set) var firstNotFiniteValue: Float?
  /// The number of values that are not finite.
  package private(set) var notFinite = 0

  /// No values yet.
  package init() {}

  /// Takes in values, the first of which has the index `start` among all.
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
