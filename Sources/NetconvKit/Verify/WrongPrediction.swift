/// A sample whose class was not recognised.
public struct WrongPrediction: Sendable, Codable, Equatable {
  /// Which sample of the data set, counted from 0.
  public let index: Int
  /// The file of a picture; `nil` for samples of an array.
  public let name: String?
  /// The class that it is labelled with.
  public let label: Int
  /// The class that was predicted; `nil` if the outputs are not finite.
  public let found: Int?

  /// The most that are listed.
  static let limit = 1000
}
