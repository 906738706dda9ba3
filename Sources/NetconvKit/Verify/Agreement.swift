/// How the predictions of two models agree, image by image.
public struct Agreement: Sendable, Encodable {
  /// Images that both models put into the same class.
  ///
  /// One whose outputs are not finite is put into none.
  public let agreeing: Int
  /// ``agreeing`` over the number of images.
  public let fraction: Double
  /// What was asked for.
  public let minimumAgreement: Double?
  /// The images that they do not put into the same class, in their order; at most ``flipLimit``.
  public let flips: [Flip]
  /// The number of such images.
  public let flipCount: Int
  /// How many of them at least one of the models puts into no class.
  public let nonFinite: Int
  /// The smallest margin, in the model compared with, of an image that both put into the same class: how close the
  /// next flip is.
  public let smallestMargin: Double?

  /// The most flips that are listed.
  public static let flipLimit = 1000

  /// An image that two models see differently.
  public struct Flip: Sendable {
    /// Which image of the data set, counted from 0.
    public let index: Int
    /// Which of its classes, counted from 0 in C order; `nil` where an image has one.
    public let place: Int?
    /// The class that it is labelled with.
    public let label: Int
    /// The class that the model compared with sees; `nil` if its outputs are not finite.
    public let expected: Int?
    /// The class that the verified model sees; `nil` if its outputs are not finite.
    public let found: Int?
    /// How far the model compared with is from the second class that it sees; `nil` if that is not finite.
    public let expectedMargin: Double?
    /// How far the verified model is from the second class that it sees; `nil` if that is not finite.
    public let foundMargin: Double?
  }

  /// Whether the predictions agree as often as was asked for; true if nothing was.
  public var passed: Bool { minimumAgreement.map { fraction >= $0 } ?? true }

  private enum CodingKeys: String, CodingKey {
    case agreeing
    case fraction
    case minimumAgreement
    case flips
    case flipCount
    case nonFinite
    case smallestMargin
  }

  init(_ part: Part) {
    flips = part.flips
    flipCount = part.flipCount
    nonFinite = part.nonFinite
    agreeing = part.count - part.flipCount
    fraction = part.count == 0 ? 1 : Double(agreeing) / Double(part.count)
    minimumAgreement = part.minimum
    smallestMargin = part.smallestMargin.map { Double($0) }
  }
}

extension Agreement.Flip: Codable {
  private enum CodingKeys: String, CodingKey {
    case index
    case place
    case label
    case expected
    case found
    case expectedMargin
    case foundMargin
  }

  /// Writes every key, also of a class that is not there.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(index, forKey: .index)
    try document.encodeIfPresent(place, forKey: .place)
    try document.encode(label, forKey: .label)
    try document.encode(expected, forKey: .expected)
    try document.encode(found, forKey: .found)
    try document.encode(expectedMargin, forKey: .expectedMargin)
    try document.encode(foundMargin, forKey: .foundMargin)
  }
}
