import ValueSums

/// The distance of values from expected values.
///
/// Values are compared in pairs. A pair of one finite and one non-finite value, or of different
/// infinities, counts only in ``mismatchedNonFinite``. Two NaNs or two equal infinities are no
/// mismatch, but they carry no information either; they count only in ``alikeNonFinite``.
public struct Difference: Sendable, Equatable {
  private var pairs = PairSums()

  /// Creates a difference without pairs.
  public init() {}

  /// Compares all values of `actual` with all of `expected`.
  ///
  /// - Precondition: Both have the same count.
  public init(_ actual: [Float], from expected: [Float]) { pairs.add(actual, expected: expected) }

  /// Adds a pair.
  public mutating func add(_ actual: Float, expected: Float) {
    pairs.add(actual, expected: expected)
  }

  /// Adds a pair of values that may not be representable in float32; ``maximumULPs`` ignores it.
  package mutating func add(_ actual: Double, expected: Double) {
    pairs.add(actual, expected: expected)
  }

  /// The number of pairs.
  public var count: Int { pairs.count }
  /// The largest distance in a pair.
  public var maximumAbsolute: Double { pairs.maximumAbsolute }
  /// The index of the pair with the largest distance; `nil` if all pairs are equal.
  public var worstIndex: Int? { pairs.worstIndex }
  /// The largest distance in a pair, in ULPs of float32.
  public var maximumULPs: UInt64 { pairs.maximumULPs }
  /// The number of pairs with one finite and one non-finite value, or with different infinities.
  public var mismatchedNonFinite: Int { pairs.mismatchedNonFinite }
  /// The number of pairs of equal infinities or of two NaNs.
  public var alikeNonFinite: Int { pairs.alikeNonFinite }
  /// The index of the first pair in ``mismatchedNonFinite``.
  public var firstMismatch: Int? { pairs.firstMismatch }
  /// The largest magnitude among the finite expected values.
  public var expectedMaximum: Double { pairs.expectedMaximum }

  /// True if the distances are meaningful: a pair is finite, or there are no pairs.
  public var isKnown: Bool { pairs.finitePairs > 0 || count == 0 }

  /// The mean distance of the finite pairs.
  public var meanAbsolute: Double {
    pairs.finitePairs > 0 ? pairs.sumAbsolute / Double(pairs.finitePairs) : 0
  }

  /// The cosine similarity of the finite pairs; 1 if both vectors are zero, `nil` if only one is,
  /// if no pair is finite, or if the squares overflow Double.
  public var cosine: Double? {
    guard isKnown else { return nil }
    if pairs.isZero { return 1 }
    let norms = pairs.actualSquares.squareRoot() * pairs.expectedSquares.squareRoot()
    guard norms > 0, norms.isFinite, pairs.dot.isFinite else { return nil }
    return min(1, max(-1, pairs.dot / norms))
  }
}
