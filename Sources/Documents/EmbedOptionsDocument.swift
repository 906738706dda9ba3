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

  /// The options of a checkpoint without such a file.
  public init() {}
}

extension EmbedOptionsDocument: Decodable {
  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case target
    case dtype
    case fold
    case language
    case name
  }

  /// Reads options; a key that there is not is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    // Editors look there for the schema.
    _ = try document.decodeIfPresent(String.self, forKey: .schema)
    target = try document.decodeIfPresent(String.self, forKey: .target)
    if (try? document.nestedUnkeyedContainer(forKey: .dtype)) != nil {
      dtype = try document.decode([String].self, forKey: .dtype)
    } else {
      dtype = try document.decodeIfPresent(String.self, forKey: .dtype).map { [$0] } ?? []
    }
    fold = try document.decodeIfPresent(Bool.self, forKey: .fold) ?? false
    language = try document.decodeIfPresent(String.self, forKey: .language)
    name = try document.decodeIfPresent(String.self, forKey: .name)
  }
}
