import Operators

/// How a checkpoint is embedded in a build, as `STEM.netconv.json` says it; `Schemas/embed-options.v1.schema.json`.
///
/// What is left out is as it is without the file.
public struct EmbedOptionsDocument: Sendable, Equatable {
  /// Who reads the weights.
  public var target: String?
  /// How kernels are written, as `--dtype` has it.
  public var dtype: [String] = []
  /// Whether normalisations and scales go into the kernels before them.
  public var fold = false
  /// The language of the code that runs the network; without it there is none.
  public var language: String?
  /// What that code's class is called.
  public var name: String?
  /// Which layers are replaced by which operators, as `--replace` has it.
  public var replace: [String] = []

  /// The options of a checkpoint without such a file.
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

  /// Reads options; a key that there is not is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    // Editors look there for the schema.
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
  /// One text, or a list of them; none if the key is left out.
  fileprivate func texts(forKey key: Key) throws -> [String] {
    if (try? nestedUnkeyedContainer(forKey: key)) != nil {
      return try decode([String].self, forKey: key)
    }
    return try decodeIfPresent(String.self, forKey: key).map { [$0] } ?? []
  }
}
