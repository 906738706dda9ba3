import Operators

/// A layer that netconv cannot read and its replacement by the user, as recorded in the manifest.
public struct ReplacementRecord: Sendable, Codable, Equatable {
  /// The layer's name.
  public var layer: String
  /// The class name in the source.
  public var className: String
  /// The operator with its attributes as the user wrote it: `Rescaling(scale: 1/127.5, offset: -1)`.
  public var by: String

  /// Creates a record of the replacement of `layer`.
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

  /// Decodes a record; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    layer = try document.decode(String.self, forKey: .layer)
    className = try document.decode(String.self, forKey: .className)
    by = try document.decode(String.self, forKey: .by)
  }
}
