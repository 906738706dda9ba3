/// The agreement of two models' predictions, image by image.
public struct Agreement: Sendable, Encodable {
  /// The number of images for which both models predict the same class.
  ///
  /// Images with outputs that are not finite do not count.
  public let agreeing: Int
  /// ``agreeing`` divided by the number of images.
  public let fraction: Double
  /// The requested minimum of ``fraction``.
  public let minimumAgreement: Double?
  /// The images for which the predictions differ, in order; at most ``flipLimit``.
  public let flips: [Flip]
  /// The number of images for which the predictions differ.
  public let flipCount: Int
  /// The number of flips in which at least one model predicts no class.
  public let nonFinite: Int
  /// The smallest margin, in the reference model, of an image with equal predictions: the distance to the next flip.
  public let smallestMargin: Double?

  /// The maximum number of flips that are listed.
  public static let flipLimit = 1000

  /// An image for which the predictions of two models differ.
  public struct Flip: Sendable {
    /// The index of the image in the data set, from 0.
    public let index: Int
    /// The index of the prediction within the image, from 0 in C order; `nil` if an image has only one.
    public let place: Int?
    /// The labelled class.
    public let label: Int
    /// The class that the reference model predicts; `nil` if its outputs are not finite.
    public let expected: Int?
    /// The class that the verified model predicts; `nil` if its outputs are not finite.
    public let found: Int?
    /// The margin between the reference model's first and second class; `nil` if it is not finite.
    public let expectedMargin: Double?
    /// The margin between the verified model's first and second class; `nil` if it is not finite.
    public let foundMargin: Double?
  }

  /// True if the predictions agree as often as requested, or if no minimum was requested.
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

  /// Encodes classes and margins that are `nil` as `null`.
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
