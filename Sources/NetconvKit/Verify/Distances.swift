import Diagnosis

extension ComparisonReport {
  /// Distances between found and expected values, over the pairs in which both are finite.
  public struct Distances: Sendable {
    /// The number of pairs.
    public let count: Int
    /// The number of pairs in which at least one value is not finite; no distance includes them.
    public let nonFinite: Int
    /// The number of pairs in which only one value is finite, or neither and they differ.
    public let mismatchedNonFinite: Int
    /// The largest distance; `nil` if no pair is finite.
    public let maximumAbsolute: Double?
    /// The mean distance; `nil` if no pair is finite.
    public let meanAbsolute: Double?
    /// The largest distance in ULPs of float32; `nil` if no pair is finite.
    public let maximumULPs: UInt64?
    /// The cosine similarity of the two as vectors; `nil` if one of them is zero, or if no pair is finite.
    public let cosine: Double?

    /// - Parameter isKnown: false if there was nothing to compare.
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

    /// The number of pairs of equal infinities, or in which both values are NaN.
    public var alikeNonFinite: Int { nonFinite - mismatchedNonFinite }
    /// True if no pair was compared because neither value of any pair is finite.
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

  /// Encodes unknown distances as `null`; an unknown cosine is left out.
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
