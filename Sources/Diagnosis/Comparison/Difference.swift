import ValueSums

/// How far values are from those they should be.
///
/// Values are compared one by one; a pair of which only one is finite, or of unlike infinities, counts in
/// ``mismatchedNonFinite`` and in nothing else. Two that are not a number, and two equal infinities, are no
/// mismatch, but say nothing either: they count in ``alikeNonFinite`` and in nothing else.
public struct Difference: Sendable, Equatable {
  private var pairs = PairSums()

  /// No pairs.
  public init() {}

  /// The comparison of all of `actual` with all of `expected`.
  ///
  /// - Precondition: there are as many of both.
  public init(_ actual: [Float], from expected: [Float]) { pairs.add(actual, expected: expected) }

  /// Takes in one pair.
  public mutating func add(_ actual: Float, expected: Float) {
    pairs.add(actual, expected: expected)
  }

  /// Takes in one pair of values that float32 may not hold; ``maximumULPs`` knows nothing of it.
  package mutating func add(_ actual: Double, expected: Double) {
    pairs.add(actual, expected: expected)
  }

  /// Pairs compared.
  public var count: Int { pairs.count }
  /// The largest distance of a pair.
  public var maximumAbsolute: Double { pairs.maximumAbsolute }
  /// The index of the pair with the largest distance; `nil` as long as all pairs are equal.
  public var worstIndex: Int? { pairs.worstIndex }
  /// The largest distance of a pair, in steps from one float32 to the next.
  public var maximumULPs: UInt64 { pairs.maximumULPs }
  /// Pairs of which one is finite and the other is not, or of unlike infinities.
  public var mismatchedNonFinite: Int { pairs.mismatchedNonFinite }
  /// Pairs of which neither is finite: equal infinities, or both not a number.
  public var alikeNonFinite: Int { pairs.alikeNonFinite }
  /// The index of the first pair that counts in ``mismatchedNonFinite``.
  public var firstMismatch: Int? { pairs.firstMismatch }
  /// The largest magnitude among the values that should be there, of those that are finite.
  public var expectedMaximum: Double { pairs.expectedMaximum }

  /// Whether the distances say anything: some pair is finite, or there is none at all.
  public var isKnown: Bool { pairs.finitePairs > 0 || count == 0 }

  /// The mean distance of the pairs that are finite.
  public var meanAbsolute: Double {
    pairs.finitePairs > 0 ? pairs.sumAbsolute / Double(pairs.finitePairs) : 0
  }

  /// The cosine of the angle between the two as vectors of the pairs that are finite; 1 if both are zero, `nil` if one
  /// is, if no pair is finite, or if Double cannot hold the squares.
  public var cosine: Double? {
    guard isKnown else { return nil }
    if pairs.isZero { return 1 }
    let norms = pairs.actualSquares.squareRoot() * pairs.expectedSquares.squareRoot()
    guard norms > 0, norms.isFinite, pairs.dot.isFinite else { return nil }
    return min(1, max(-1, pairs.dot / norms))
  }
}
