import Diagnosis

extension ComparisonReport {
  /// How far values are from those they should be, as far as both are finite.
  public struct Distances: Sendable {
    /// Pairs of values.
    public let count: Int
    /// Pairs of which at least one is not finite; no distance knows of them.
    public let nonFinite: Int
    /// Those of them of which only one is finite, or of unlike infinities.
    public let mismatchedNonFinite: Int
    /// The largest distance; `nil` if no pair is finite.
    public let maximumAbsolute: Double?
    /// The mean distance; `nil` if no pair is finite.
    public let meanAbsolute: Double?
    /// The largest distance in steps from one float32 to the next; `nil` if no pair is finite.
    public let maximumULPs: UInt64?
    /// The cosine of the angle between the two as vectors; `nil` if one of them is zero, or if no pair is finite.
    public let cosine: Double?

    /// - Parameter isKnown: whether there was something to compare.
    init(_ difference: Difference, isKnown: Bool = true) {
      let isKnown = isKnown && difference.isKnown
      count = difference.count
      nonFinite = difference.mismatchedNonFinite + difference.alikeNonFinite
      mismatchedNonFinite = difference.mismatchedNonFinite
      maximumAbsolute = isKnown ? difference.maximumAbsolute : nil
      meanAbsolute = isKnown ? difference.meanAbsolute : nil
      maximumULPs = isKnown ? difference.maximumULPs : nil
      cosine = isKnown ? difference.cosine : nil
    }

    /// Pairs of which neither is finite: equal infinities, or both not a number.
    public var alikeNonFinite: Int { nonFinite - mismatchedNonFinite }
    /// Whether no pair was compared because neither of any pair is finite.
    public var isUnknown: Bool { maximumAbsolute == nil && mismatchedNonFinite == 0 }
  }
}

extension ComparisonReport.Distances: Codable {
  private enum CodingKeys: String, CodingKey {
    case count
    case nonFinite
    case mismatchedNonFinite
    case maximumAbsolute
    case meanAbsolute
    case maximumULPs
    case cosine
  }

  /// Writes every distance, also those that are not known.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(count, forKey: .count)
    try document.encode(nonFinite, forKey: .nonFinite)
    try document.encode(mismatchedNonFinite, forKey: .mismatchedNonFinite)
    try document.encode(maximumAbsolute, forKey: .maximumAbsolute)
    try document.encode(meanAbsolute, forKey: .meanAbsolute)
    try document.encode(maximumULPs, forKey: .maximumULPs)
    try document.encodeIfPresent(cosine, forKey: .cosine)
  }
}
