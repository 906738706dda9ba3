import Operators

/// A layer of the source that netconv cannot read, and what the user put in its place, in the manifest.
public struct ReplacementRecord: Sendable, Codable, Equatable {
  /// The layer's name.
  public var layer: String
  /// The class that the source names.
  public var className: String
  /// The operator with its attributes, as the user wrote it: `Rescaling(scale: 1/127.5, offset: -1)`.
  public var by: String

  /// A record that `layer` was replaced.
  public init(layer: String, className: String, by: String) {
    self.layer = layer
    self.className = className
    self.by = by
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case layer
    case className
    case by
  }

  /// Reads a record; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    layer = try document.decode(String.self, forKey: .layer)
    className = try document.decode(String.self, forKey: .className)
    by = try document.decode(String.self, forKey: .by)
  }
}
