/// How far values are from those they should be.
///
/// Values are compared one by one; a pair of which only one is finite, or of unlike infinities, counts in
/// ``mismatchedNonFinite`` and in nothing else. Two that are not a number, and two equal infinities, are no
/// mismatch, but say nothing either: they count in ``alikeNonFinite`` and in nothing else.
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
  /// Pairs of which neither is finite: equal infinities, or both not a number.
  public private(set) var alikeNonFinite = 0
  /// Where in the order of the values the first pair is that counts in ``mismatchedNonFinite``.
  public private(set) var firstMismatch: Int?
  /// The largest magnitude among the values that should be there, of those that are finite.
  public private(set) var expectedMaximum = 0.0

  private var isZero = true
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

  /// Whether the distances say anything: some pair is finite, or there is none at all.
  public var isKnown: Bool { finitePairs > 0 || count == 0 }

  /// The mean distance of the pairs that are finite.
  public var meanAbsolute: Double { finitePairs > 0 ? sumAbsolute / Double(finitePairs) : 0 }

  /// The cosine of the angle between the two as vectors of the pairs that are finite; 1 if both are zero, `nil` if one
  /// is, if no pair is finite, or if Double cannot hold the squares.
  public var cosine: Double? {
    guard isKnown else { return nil }
    if isZero { return 1 }
    let norms = actualSquares.squareRoot() * expectedSquares.squareRoot()
    guard norms > 0, norms.isFinite, dot.isFinite else { return nil }
    return min(1, max(-1, dot / norms))
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
