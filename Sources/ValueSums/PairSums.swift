/// Sums over the differences of actual and expected values.
///
/// A pair of one finite and one non-finite value, or of different infinities, counts only in
/// ``mismatchedNonFinite``. Two NaNs or two equal infinities count only in ``alikeNonFinite``.
package struct PairSums: Sendable, Equatable {
  /// The number of pairs.
  package var count = 0
  /// The largest distance in a pair.
  package var maximumAbsolute = 0.0
  /// The index of the pair with the largest distance; `nil` if all pairs are equal.
  package var worstIndex: Int?
  /// The largest distance in a pair, in ULPs of float32.
  package var maximumULPs: UInt64 = 0
  package var mismatchedNonFinite = 0
  package var alikeNonFinite = 0
  /// The index of the first pair in ``mismatchedNonFinite``.
  package var firstMismatch: Int?
  /// The largest magnitude among the finite expected values.
  package var expectedMaximum = 0.0
  /// True if all finite values are 0.
  package var isZero = true
  package var sumAbsolute = 0.0
  package var finitePairs = 0
  package var dot = 0.0
  package var actualSquares = 0.0
  package var expectedSquares = 0.0

  /// Creates empty sums.
  package init() {}

  /// Adds all pairs.
  ///
  /// - Precondition: Both have the same count.
  package mutating func add(_ actual: [Float], expected: [Float]) {
    precondition(actual.count == expected.count, "\(actual.count) and \(expected.count) values")
    for (actual, expected) in zip(actual, expected) { add(actual, expected: expected) }
  }

  /// Adds a pair.
  @inlinable package mutating func add(_ actual: Float, expected: Float) {
    add(Double(actual), expected: Double(expected))
    if actual.isFinite, expected.isFinite {
      maximumULPs = max(maximumULPs, floatSteps(from: actual, to: expected))
    }
  }

  /// Adds a pair of values that may not be representable in float32; ``maximumULPs`` ignores it.
  @inlinable package mutating func add(_ a: Double, expected e: Double) {
    let index = count
    count += 1
    guard a.isFinite, e.isFinite else {
      if a != e, !(a.isNaN && e.isNaN) {
        mismatchedNonFinite += 1
        firstMismatch = firstMismatch ?? index
      } else {
        alikeNonFinite += 1
      }
      return
    }
    let distance = abs(a - e)
    if distance > maximumAbsolute {
      maximumAbsolute = distance
      worstIndex = index
    }
    expectedMaximum = max(expectedMaximum, abs(e))
    isZero = isZero && a == 0 && e == 0
    sumAbsolute += distance
    finitePairs += 1
    dot += a * e
    actualSquares += a * a
    expectedSquares += e * e
  }
}

/// The distance of two finite values in ULPs of float32; 0 and -0 are equal.
@inlinable package func floatSteps(from a: Float, to b: Float) -> UInt64 {
  func place(_ value: Float) -> Int64 {
    let magnitude = Int64(value.magnitude.bitPattern)
    return value.sign == .minus ? -magnitude : magnitude
  }
  return (place(a) - place(b)).magnitude
}
