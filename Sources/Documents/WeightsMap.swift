import ModelIR

/// A map of weights: how the tensors of one set are made of those of another; Docs/relate.md.
///
/// `Schemas/map.v1.schema.json` describes it. `netconv relate` writes it, `netconv convert` does what it says.
public struct WeightsMap: Sendable, Codable, Equatable {
  /// What `format` must say.
  public static let format = "netconv-map"
  /// The version that this netconv reads and writes.
  public static let version = 1

  /// Always ``format``.
  public var format = WeightsMap.format
  /// Always ``version``.
  public var version = WeightsMap.version
  /// The tensors that are made, in order.
  public var tensors: [Made]
  /// Tensors that nothing says how to make; while there are any, the map cannot be applied.
  public var unrelated: [String]
  /// Tensors of the source that nothing is made of.
  public var unused: [String]

  /// A map.
  public init(tensors: [Made], unrelated: [String], unused: [String]) {
    self.tensors = tensors
    self.unrelated = unrelated
    self.unused = unused
  }

  /// Reads a map; a key that it does not have, another format or another version is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    try document.check(Self.format, .format, Self.version, .version)
    tensors = try document.decode([Made].self, forKey: .tensors)
    unrelated = try document.decodeIfPresent([String].self, forKey: .unrelated) ?? []
    unused = try document.decodeIfPresent([String].self, forKey: .unused) ?? []
  }

  /// A tensor that is made.
  public struct Made: Sendable, Codable, Equatable {
    /// What it is called.
    public var name: String
    /// The shape of its array.
    public var shape: [Int]
    /// How its values are written.
    public var dtype: String
    /// What it is made of; empty while ``candidates`` are not decided.
    public var parts: [Part]
    /// What it may be made of, where values did not tell: one of them has to become the only one of ``parts``.
    public var candidates: [Part]?

    /// A tensor called `name`.
    public init(
      name: String, shape: [Int], dtype: String, parts: [Part], candidates: [Part]? = nil
    ) {
      self.name = name
      self.shape = shape
      self.dtype = dtype
      self.parts = parts
      self.candidates = candidates
    }

    /// Reads a tensor; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      shape = try document.decode([Int].self, forKey: .shape)
      dtype = try document.decode(String.self, forKey: .dtype)
      parts = try document.decodeIfPresent([Part].self, forKey: .parts) ?? []
      candidates = try document.decodeIfPresent([Part].self, forKey: .candidates)
    }
  }

  /// What a part of a tensor is made of.
  public struct Part: Sendable, Codable, Equatable {
    /// The places of the tensor that it is; absent for all.
    public var to: [Section]?
    /// The tensor of the source; absent for zeros.
    public var of: String?
    /// The shape of its array.
    public var shape: [Int]?
    /// The places of that tensor that are taken; absent for all.
    public var from: [Section]?
    /// How axes are moved, in einops notation.
    public var pattern: String?
    /// The sizes that einops needs to split axes.
    public var sizes: [String: Int]?
    /// Axes along which values are reversed.
    public var reversed: [String]?
    /// The order of the places of axes that have another: for each place, the one that it comes from.
    public var orders: [String: [Int]]?
    /// A tensor of the source that is added, in float32.
    public var plus: String?
    /// The type that values are rounded to, where they are stored as one of more bits.
    public var rounded: String?
    /// The type that values are truncated to.
    public var truncated: String?
    /// What values are multiplied by.
    public var factor: Double?
    /// The normalisation that is folded into the values.
    public var normalization: FoldedNormalization?

    /// A part, of zeros unless more is said.
    public init(to: [Section]? = nil) { self.to = to }

    /// Reads a part; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      to = try document.decodeIfPresent([Section].self, forKey: .to)
      of = try document.decodeIfPresent(String.self, forKey: .of)
      shape = try document.decodeIfPresent([Int].self, forKey: .shape)
      from = try document.decodeIfPresent([Section].self, forKey: .from)
      pattern = try document.decodeIfPresent(String.self, forKey: .pattern)
      sizes = try document.decodeIfPresent([String: Int].self, forKey: .sizes)
      reversed = try document.decodeIfPresent([String].self, forKey: .reversed)
      orders = try document.decodeIfPresent([String: [Int]].self, forKey: .orders)
      plus = try document.decodeIfPresent(String.self, forKey: .plus)
      rounded = try document.decodeIfPresent(String.self, forKey: .rounded)
      truncated = try document.decodeIfPresent(String.self, forKey: .truncated)
      factor = try document.decodeIfPresent(Double.self, forKey: .factor)
      normalization = try document.decodeIfPresent(FoldedNormalization.self, forKey: .normalization)
    }
  }

  /// A range of places of an axis.
  public struct Section: Sendable, Codable, Equatable {
    /// The axis, by its place in the shape.
    public var axis: Int
    /// The first place.
    public var start: Int
    /// The place behind the last.
    public var end: Int

    /// The places from `start` up to, but without, `end`.
    public init(axis: Int, start: Int, end: Int) {
      self.axis = axis
      self.start = start
      self.end = end
    }

    /// Reads a range; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      axis = try document.decode(Int.self, forKey: .axis)
      start = try document.decode(Int.self, forKey: .start)
      end = try document.decode(Int.self, forKey: .end)
    }
  }

  /// A normalisation with the factors `gamma / sqrt(variance + epsilon)`, by the names of its tensors.
  ///
  /// A kernel is multiplied by them, along ``axis``. A bias becomes `beta + (bias - mean) * factor`, where beta is
  /// what the part is of.
  public struct FoldedNormalization: Sendable, Codable, Equatable {
    /// Its gamma.
    public var gamma: String
    /// Its variance.
    public var variance: String
    /// Its epsilon.
    public var epsilon: Double
    /// Of a kernel, the axis whose places have factors of their own.
    public var axis: Int?
    /// Of a bias, the mean.
    public var mean: String?
    /// Of a bias, the one that the kernel had; absent if it had none.
    public var bias: String?

    /// A normalisation.
    public init(
      gamma: String, variance: String, epsilon: Double, axis: Int? = nil, mean: String? = nil,
      bias: String? = nil
    ) {
      self.gamma = gamma
      self.variance = variance
      self.epsilon = epsilon
      self.axis = axis
      self.mean = mean
      self.bias = bias
    }

    /// Reads a normalisation; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      gamma = try document.decode(String.self, forKey: .gamma)
      variance = try document.decode(String.self, forKey: .variance)
      epsilon = try document.decode(Double.self, forKey: .epsilon)
      axis = try document.decodeIfPresent(Int.self, forKey: .axis)
      mean = try document.decodeIfPresent(String.self, forKey: .mean)
      bias = try document.decodeIfPresent(String.self, forKey: .bias)
    }
  }
}
