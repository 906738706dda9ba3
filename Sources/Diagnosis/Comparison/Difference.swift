/// How far values are from those they should be.
///
/// Values are compared one by one; a pair of which only one is finite, or of unlike infinities, counts in
/// ``mismatchedNonFinite`` and in nothing else. Two that are not a number, and two equal infinities, agree.
public struct Difference: Sendable, Equatable {
  /// Pairs compared.
  public private(set) var count = 0
  /// The largest distance of a pair.
  public private(set) var maximumAbsolute = 0.0
  /// Where in the order of the values the largest distance is; `nil` as long as all pairs are equal.
  public private(set) var worstIndex: Int?
  /// The largest distance of a pair, in steps from one float32 to the next.
  public private(set) var maximumULPs: UInt64 = 0
  /// Pairs of which one is finite and the other is not, or of unlike infinities.
  public private(set) var mismatchedNonFinite = 0
  /// Where in the order of the values the first such pair is.
  public private(set) var firstMismatch: Int?
  /// The largest magnitude among the values that should be there, of those that are finite.
  public private(set) var expectedMaximum = 0.0

  private var sumAbsolute = 0.0
  private var finitePairs = 0
  private var dot = 0.0
  private var actualSquares = 0.0
  private var expectedSquares = 0.0

  /// No pairs.
  public init() {}

  /// The comparison of all of `actual` with all of `expected`.
  ///
  /// - Precondition: there are as many of both.
  public init(_ actual: [Float], from expected: [Float]) {
    precondition(actual.count == expected.count, "\(actual.count) and \(expected.count) values")
    for (actual, expected) in zip(actual, expected) { add(actual, expected: expected) }
  }

  /// Takes in one pair.
  public mutating func add(_ actual: Float, expected: Float) {
    add(Double(actual), expected: Double(expected))
    if actual.isFinite, expected.isFinite {
      maximumULPs = max(maximumULPs, Self.steps(from: actual, to: expected))
    }
  }

  /// Takes in one pair of values that float32 may not hold; ``maximumULPs`` knows nothing of it.
  package mutating func add(_ a: Double, expected e: Double) {
    let index = count
    count += 1
    guard a.isFinite, e.isFinite else {
      if a != e, !(a.isNaN && e.isNaN) {
        mismatchedNonFinite += 1
        firstMismatch = firstMismatch ?? index
      }
      return
    }
    let distance = abs(a - e)
    if distance > maximumAbsolute {
      maximumAbsolute = distance
      worstIndex = index
    }
    expectedMaximum = max(expectedMaximum, abs(e))
    sumAbsolute += distance
    finitePairs += 1
    dot += a * e
    actualSquares += a * a
    expectedSquares += e * e
  }

  /// The mean distance of the pairs that are finite.
  public var meanAbsolute: Double { finitePairs > 0 ? sumAbsolute / Double(finitePairs) : 0 }

  /// The cosine of the angle between the two as vectors; 1 if both are zero, `nil` if one is.
  public var cosine: Double? {
    switch (actualSquares > 0, expectedSquares > 0) {
    case (false, false): 1
    case (true, true):
      min(1, max(-1, dot / (actualSquares.squareRoot() * expectedSquares.squareRoot())))
    default: nil
    }
  }

  /// How many steps from one float32 to the next lie between two finite values; 0 and -0 are the same.
  static func steps(from a: Float, to b: Float) -> UInt64 {
    func place(_ value: Float) -> Int64 {
      let magnitude = Int64(value.magnitude.bitPattern)
      return value.sign == .minus ? -magnitude : magnitude
    }
    return (place(a) - place(b)).magnitude
  }
}
