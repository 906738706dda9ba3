import ModelIR

/// Rules that make tensors from those of a source; Docs/rules.md.
///
/// `Schemas/rules.v1.schema.json` describes the document, and `netconv convert --rules` applies it.
public struct WeightRules: Sendable, Codable, Equatable {
  /// The required value of `format`.
  public static let format = "netconv-rules"
  /// The version that this netconv reads.
  public static let version = 1

  /// The rules, in the order in which they are applied.
  public var rules: [Rule]

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case format
    case version
    case rules
  }

  /// Decodes rules; an unknown key, another format or another version is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    try document.check(Self.format, .format, Self.version, .version)
    rules = try document.decode([Rule].self, forKey: .rules)
  }

  /// Creates a document.
  public init(rules: [Rule]) { self.rules = rules }

  /// Encodes the rules with the format and version.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(Self.format, forKey: .format)
    try document.encode(Self.version, forKey: .version)
    try document.encode(rules, forKey: .rules)
  }

  /// A rule: a substitution in names, names to leave out, or tensors to make from others.
  public struct Rule: Sendable, Codable, Equatable {
    /// A substitution in the names of all tensors, as `s/PATTERN/REPLACEMENT/`.
    public var rename: String?
    /// The patterns of names that are left out.
    public var drop: Names?
    /// The patterns of the source tensors.
    public var from: Names?
    /// The patterns of the resulting tensors; by default those of the sources.
    public var to: Names?
    /// A rearrangement of each tensor in einops notation, before a join and after a split.
    public var pattern: String?
    /// The sizes that the rearrangement needs to split axes, by axis.
    public var sizes: [String: Size]?
    /// The index of the axis along which several tensors are joined.
    public var join: Int?
    /// The index of the axis along which a tensor is split.
    public var split: Int?
    /// The lengths of the parts along the axis of a join or split.
    public var parts: [Size]?
    /// The word in braces that numbers the tensors to stack along a new first axis.
    public var stack: String?
    /// The word in braces that numbers the tensors into which the first axis is taken apart.
    public var unstack: String?
    /// A factor of all values.
    public var scale: Double?
    /// A number that is added to all values, after ``scale``.
    public var add: Double?
    /// True if the rule may match no tensor; otherwise that is an error.
    public var optional: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case rename
      case drop
      case from
      case to
      case pattern
      case sizes
      case join
      case split
      case parts
      case stack
      case unstack
      case scale
      case add
      case optional
    }

    /// Creates a rule without an effect.
    public init() {}

    /// Decodes a rule; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      rename = try document.decodeIfPresent(String.self, forKey: .rename)
      drop = try document.decodeIfPresent(Names.self, forKey: .drop)
      from = try document.decodeIfPresent(Names.self, forKey: .from)
      to = try document.decodeIfPresent(Names.self, forKey: .to)
      pattern = try document.decodeIfPresent(String.self, forKey: .pattern)
      sizes = try document.decodeIfPresent([String: Size].self, forKey: .sizes)
      join = try document.decodeIfPresent(Int.self, forKey: .join)
      split = try document.decodeIfPresent(Int.self, forKey: .split)
      parts = try document.decodeIfPresent([Size].self, forKey: .parts)
      stack = try document.decodeIfPresent(String.self, forKey: .stack)
      unstack = try document.decodeIfPresent(String.self, forKey: .unstack)
      scale = try document.decodeIfPresent(Double.self, forKey: .scale)
      add = try document.decodeIfPresent(Double.self, forKey: .add)
      optional = try document.decodeIfPresent(Bool.self, forKey: .optional)
    }
  }

  /// One name or several.
  public struct Names: Sendable, Codable, Equatable {
    /// The names.
    public var all: [String]

    /// Creates names.
    public init(_ all: [String]) { self.all = all }

    /// Decodes a string, or an array of strings.
    public init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let name = try? value.decode(String.self) {
        all = [name]
      } else {
        all = try value.decode([String].self)
      }
    }

    /// Encodes a single name as a string.
    public func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      if all.count == 1 { try value.encode(all[0]) } else { try value.encode(all) }
    }
  }

  /// A size: a number, or a product of numbers and keys of the configuration.
  public enum Size: Sendable, Codable, Equatable {
    /// The size.
    case number(Int)
    /// An expression such as `num_attention_heads * head_dim`.
    case expression(String)

    /// Decodes an integer or a string.
    public init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .expression(text)
      } else {
        self = .number(try value.decode(Int.self))
      }
    }

    /// Encodes an integer or a string.
    public func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .number(let number): try value.encode(number)
      case .expression(let text): try value.encode(text)
      }
    }
  }
}
