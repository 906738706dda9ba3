/// A file of source text.
public struct EmittedFile: Sendable, Equatable {
  /// Where it goes, from the package's folder on.
  public let path: String
  /// What is in it.
  public let text: String
}
