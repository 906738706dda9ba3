import ModelIR

/// A map that describes how the tensors of one set are computed from those of another; Docs/relate.md.
///
/// `Schemas/map.v1.schema.json` describes it. `netconv relate` writes it, and `netconv convert` applies it.
public struct WeightsMap: Sendable, Codable, Equatable {
  /// The required value of `format`.
  public static let format = "netconv-map"
  /// The version that this netconv reads and writes.
  public static let version = 1

  /// Always ``format``.
  public var format = WeightsMap.format
  /// Always ``version``.
  public var version = WeightsMap.version
  /// The resulting tensors, in order.
  public var tensors: [Made]
  /// Tensors without a known relation; while there are any, the map cannot be applied.
  public var unrelated: [String]
  /// Tensors of the source that are not used.
  public var unused: [String]

  /// Creates a map.
  public init(tensors: [Made], unrelated: [String], unused: [String]) {
    self.tensors = tensors
    self.unrelated = unrelated
    self.unused = unused
  }

  /// Decodes a map; an unknown key, another format or another version is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    try document.check(Self.format, .format, Self.version, .version)
    tensors = try document.decode([Made].self, forKey: .tensors)
    unrelated = try document.decodeIfPresent([String].self, forKey: .unrelated) ?? []
    unused = try document.decodeIfPresent([String].self, forKey: .unused) ?? []
  }

  /// A resulting tensor.
  public struct Made: Sendable, Codable, Equatable {
    /// The name of the tensor.
    public var name: String
    /// The shape of the array.
    public var shape: [Int]
    /// The element type of the values.
    public var dtype: String
    /// The parts it is composed of; empty while ``candidates`` are undecided.
    public var parts: [Part]
    /// The possible parts if the values do not determine a unique one: one of them must become the only one of
    /// ``parts``.
    public var candidates: [Part]?

    /// Creates a tensor called `name`.
    public init(
      name: String, shape: [Int], dtype: String, parts: [Part], candidates: [Part]? = nil
    ) {
      self.name = name
      self.shape = shape
      self.dtype = dtype
      self.parts = parts
      self.candidates = candidates
    }

    /// Decodes a tensor; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      shape = try document.decode([Int].self, forKey: .shape)
      dtype = try document.decode(String.self, forKey: .dtype)
      parts = try document.decodeIfPresent([Part].self, forKey: .parts) ?? []
      candidates = try document.decodeIfPresent([Part].self, forKey: .candidates)
    }
  }

  /// A part of a resulting tensor.
  public struct Part: Sendable, Codable, Equatable {
    /// The index ranges of the part in the tensor; absent for all.
    public var to: [Section]?
    /// The source tensor; absent for zeros.
    public var of: String?
    /// The shape of the source array.
    public var shape: [Int]?
    /// The index ranges in the source tensor; absent for all.
    public var from: [Section]?
    /// The rearrangement of axes in einops notation.
    public var pattern: String?
    /// The sizes that einops needs to split axes.
    public var sizes: [String: Int]?
    /// The axes along which values are reversed.
    public var reversed: [String]?
    /// The permutations along axes: for each index, the index in the source.
    public var orders: [String: [Int]]?
    /// A source tensor that is added, in float32.
    public var plus: String?
    /// The type that values are rounded to, if they are stored in a wider one.
    public var rounded: String?
    /// The type that values are truncated to.
    public var truncated: String?
    /// The factor of the values.
    public var factor: Double?
    /// The number that is added to the values.
    public var offset: Double?
    /// The normalisation that is folded into the values.
    public var normalization: FoldedNormalization?

    /// Creates a part, filled with zeros by default.
    public init(to: [Section]? = nil) { self.to = to }

    /// Decodes a part; an unknown key is an error.
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
      offset = try document.decodeIfPresent(Double.self, forKey: .offset)
      normalization = try document.decodeIfPresent(FoldedNormalization.self, forKey: .normalization)
    }
  }

  /// A range of indices along an axis.
  public struct Section: Sendable, Codable, Equatable {
    /// The index of the axis in the shape.
    public var axis: Int
    /// The first index.
    public var start: Int
    /// The index after the last.
    public var end: Int
    /// The distance of two indices; absent for 1.
    public var step: Int?

    /// Creates the range from `start` up to, but not including, `end`.
    public init(axis: Int, start: Int, end: Int, step: Int? = nil) {
      self.axis = axis
      self.start = start
      self.end = end
      self.step = step
    }

    /// Decodes a range; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      axis = try document.decode(Int.self, forKey: .axis)
      start = try document.decode(Int.self, forKey: .start)
      end = try document.decode(Int.self, forKey: .end)
      step = try document.decodeIfPresent(Int.self, forKey: .step)
    }
  }

  /// A normalisation with the factors `gamma / sqrt(variance + epsilon)`, by the names of its tensors.
  ///
  /// A kernel is multiplied by them along ``axis``. A bias becomes `beta + (bias - mean) * factor`, where beta is the
  /// part's source tensor.
  public struct FoldedNormalization: Sendable, Codable, Equatable {
    /// The name of gamma.
    public var gamma: String
    /// The name of the variance.
    public var variance: String
    /// The value of epsilon.
    public var epsilon: Double
    /// For a kernel, the axis whose indices have individual factors.
    public var axis: Int?
    /// For a bias, the name of the mean.
    public var mean: String?
    /// For a bias, the name of the kernel's original bias; absent if there was none.
    public var bias: String?

    /// Creates a normalisation.
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

    /// Decodes a normalisation; an unknown key is an error.
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
