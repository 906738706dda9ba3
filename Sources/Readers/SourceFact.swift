/// An entry of a file's metadata.
public struct SourceFact: Sendable, Equatable {
  /// The key in the file.
  public let key: String
  /// The format's name of the value's type.
  public let type: String
  /// The value as text; arrays and long strings are truncated.
  public let text: String
}
