/// How the predictions of two models agree, image by image.
public struct Agreement: Sendable, Encodable {
  /// Images that both models put into the same class.
  public let agreeing: Int
  /// ``agreeing`` over the number of images.
  public let fraction: Double
  /// What was asked for.
  public let minimumAgreement: Double?
  /// The images that they put into different classes, in their order; at most ``flipLimit``.
  public let flips: [Flip]
  /// The number of such images.
  public let flipCount: Int
  /// The smallest margin, in the model compared with, of an image that both put into the same class: how close the
  /// next flip is.
  public let smallestMargin: Double?

  /// The most flips that are listed.
  public static let flipLimit = 1000

  /// An image that two models see differently.
  public struct Flip: Sendable, Encodable {
    /// Which image of the data set, counted from 0.
    public let index: Int
    /// The class that it is labelled with.
    public let label: Int
    /// The class that the model compared with sees.
    public let expected: Int
    /// The class that the verified model sees.
    public let found: Int
    /// How far the model compared with is from the second class that it sees.
    public let expectedMargin: Double
    /// How far the verified model is from the second class that it sees.
    public let foundMargin: Double
  }

  /// Whether the predictions agree as often as was asked for; true if nothing was.
  public var passed: Bool { minimumAgreement.map { fraction >= $0 } ?? true }

  private enum CodingKeys: String, CodingKey {
    case agreeing
    case fraction
    case minimumAgreement
    case flips
    case flipCount
    case smallestMargin
  }

  init(
    _ found: [Classifier.Prediction], with expected: [Classifier.Prediction], labels: [Int],
    minimum: Double?
  ) {
    var flips: [Flip] = []
    var flipCount = 0
    var smallest: Float?
    for (index, (one, other)) in zip(found, expected).enumerated() {
      guard one.label != other.label else {
        smallest = min(smallest ?? other.margin, other.margin)
        continue
      }
      flipCount += 1
      guard flips.count < Self.flipLimit else { continue }
      flips.append(
        Flip(
          index: index, label: labels[index], expected: other.label, found: one.label,
          expectedMargin: Double(other.margin), foundMargin: Double(one.margin)))
    }
    self.flips = flips
    self.flipCount = flipCount
    agreeing = found.count - flipCount
    fraction = found.isEmpty ? 1 : Double(agreeing) / Double(found.count)
    minimumAgreement = minimum
    smallestMargin = smallest.map { Double($0) }
  }
}
