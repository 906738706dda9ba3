/// A misclassified sample.
public struct WrongPrediction: Sendable, Codable, Equatable {
  /// The index of the sample in the data set, from 0.
  public let index: Int
  /// The file name of a picture; `nil` for samples of an array.
  public let name: String?
  /// The labelled class.
  public let label: Int
  /// The predicted class; `nil` if the outputs are not finite.
  public let found: Int?

  /// The maximum number of samples that are listed.
  static let limit = 1000
}
