import Operators

/// The options for embedding a checkpoint in a build, `STEM.netconv.json`; `Schemas/embed-options.v1.schema.json`.
///
/// Absent keys have the same defaults as without the file.
public struct EmbedOptionsDocument: Sendable, Equatable {
  /// The target of the weights.
  public var target: String?
  /// The element types of kernels, in the syntax of `--dtype`.
  public var dtype: [String] = []
  /// True if normalisations and scales are folded into the kernels before them.
  public var fold = false
  /// The language of the generated code; without it no code is generated.
  public var language: String?
  /// The class name in the generated code.
  public var name: String?
  /// The operators that replace layers, in the syntax of `--replace`.
  public var replace: [String] = []

  /// Creates the options for a checkpoint without such a file.
  public init() {}
}

extension EmbedOptionsDocument: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case schema = "$schema"
    case target
    case dtype
    case fold
    case language
    case name
    case replace
  }

  /// Decodes options; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    // Editors use this key to find the schema.
    _ = try document.decodeIfPresent(String.self, forKey: .schema)
    target = try document.decodeIfPresent(String.self, forKey: .target)
    dtype = try document.texts(forKey: .dtype)
    fold = try document.decodeIfPresent(Bool.self, forKey: .fold) ?? false
    language = try document.decodeIfPresent(String.self, forKey: .language)
    name = try document.decodeIfPresent(String.self, forKey: .name)
    replace = try document.texts(forKey: .replace)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a string or a list of strings; empty if the key is absent.
  fileprivate func texts(forKey key: Key) throws -> [String] {
    if (try? nestedUnkeyedContainer(forKey: key)) != nil {
      return try decode([String].self, forKey: key)
    }
    return try decodeIfPresent(String.self, forKey: key).map { [$0] } ?? []
  }
}
