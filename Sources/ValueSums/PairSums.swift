/// Distances of values from those they should be, pair by pair.
///
/// A pair of which only one is finite, or of unlike infinities, counts in ``mismatchedNonFinite`` and in nothing else.
/// Two that are not a number, and two equal infinities, count in ``alikeNonFinite`` and in nothing else.
package struct PairSums: Sendable, Equatable {
  /// Pairs compared.
  package var count = 0
  /// The largest distance of a pair.
  package var maximumAbsolute = 0.0
  /// The index of the pair with the largest distance; `nil` as long as all pairs are equal.
  package var worstIndex: Int?
  /// The largest distance of a pair, in steps from one float32 to the next.
  package var maximumULPs: UInt64 = 0
  package var mismatchedNonFinite = 0
  package var alikeNonFinite = 0
  /// The index of the first pair that counts in ``mismatchedNonFinite``.
  package var firstMismatch: Int?
  /// The largest magnitude among the values that should be there, of those that are finite.
  package var expectedMaximum = 0.0
  /// Whether all values that are finite are 0.
  package var isZero = true
  package var sumAbsolute = 0.0
  package var finitePairs = 0
  package var dot = 0.0
  package var actualSquares = 0.0
  package var expectedSquares = 0.0

  /// No pairs.
  package init() {}

  /// Takes in all pairs.
  ///
  /// - Precondition: there are as many of both.
  package mutating func add(_ actual: [Float], expected: [Float]) {
    precondition(actual.count == expected.count, "\(actual.count) and \(expected.count) values")
    for (actual, expected) in zip(actual, expected) { add(actual, expected: expected) }
  }

  /// Takes in one pair.
  @inlinable package mutating func add(_ actual: Float, expected: Float) {
    add(Double(actual), expected: Double(expected))
    if actual.isFinite, expected.isFinite {
      maximumULPs = max(maximumULPs, floatSteps(from: actual, to: expected))
    }
  }

  /// Takes in one pair of values that float32 may not hold; ``maximumULPs`` knows nothing of it.
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

/// The number of steps from one float32 to the next between two finite values; 0 and -0 are the same.
@inlinable package func floatSteps(from a: Float, to b: Float) -> UInt64 {
  func place(_ value: Float) -> Int64 {
    let magnitude = Int64(value.magnitude.bitPattern)
    return value.sign == .minus ? -magnitude : magnitude
  }
  return (place(a) - place(b)).magnitude
}
