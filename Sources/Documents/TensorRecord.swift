import ModelIR
import Operators

/// A tensor that a conversion wrote, as recorded in the manifest.
public struct TensorRecord: Sendable, Codable {
  /// The unique name of the tensor in containers, and of its own file without the extension.
  public var name: String
  /// The layer that owns the tensor.
  public var layer: String
  /// The role in the layer.
  public var role: String
  /// The element type.
  public var dtype: String
  /// The name of the tensor with the scales of integer values; `nil` if the values are not quantised.
  public var scale: String?
  /// The layout.
  public var layout: String
  /// The axes, by letter, that are stored in reversed order for the target.
  public var reversed: [String]
  /// The shape in that layout.
  public var shape: [Int]
  /// The origin of the values.
  public var source: Origin
  /// The rearrangement of the values.
  public var rearrangement: Move
  /// The locations of the values, by the name of the container; the bytes are the same in each.
  public var places: [String: Place]
  /// The SHA-256 of the bytes written.
  public var sha256: String
  /// True if the target has a layout for the role; otherwise the source's layout was kept.
  public var supported: Bool
  /// Sets of axes, by letter, that could be exchanged without changing the shape in the source.
  public var ambiguities: [[String]]
  /// Statistics of the values as written.
  public var statistics: TensorStatistics

  /// Creates a record of a tensor.
  public init(
    name: String, layer: String, role: String, dtype: String, scale: String? = nil, layout: String,
    reversed: [String], shape: [Int], source: Origin, rearrangement: Move,
    places: [String: Place], sha256: String, supported: Bool, ambiguities: [[String]] = [],
    statistics: TensorStatistics
  ) {
    self.name = name
    self.layer = layer
    self.role = role
    self.dtype = dtype
    self.scale = scale
    self.layout = layout
    self.reversed = reversed
    self.shape = shape
    self.source = source
    self.rearrangement = rearrangement
    self.places = places
    self.sha256 = sha256
    self.supported = supported
    self.ambiguities = ambiguities
    self.statistics = statistics
  }

  /// The location in the container that is preferred for reading; every tensor has one.
  public var place: Place {
    OutputFormat.readable.lazy.compactMap { places[$0.rawValue] }.first
      ?? Place(file: "", tensor: nil, offset: 0, length: 0)
  }

  /// The size of the values in bytes.
  public var length: Int { place.length }

  /// The location of a tensor's values.
  public struct Place: Sendable, Codable, Equatable {
    /// The file, relative to the manifest.
    public var file: String
    /// The tensor's name in that file; `nil` if the file contains nothing else.
    public var tensor: String?
    /// The offset of the values in the file, in bytes.
    public var offset: Int
    /// The size of the values in bytes.
    public var length: Int

    /// The location for messages: `weights/conv_W.bin`, or `model.npz:conv/kernel`.
    public var path: String { tensor.map { "\(file):\($0)" } ?? file }

    /// Creates a location in `file`.
    public init(file: String, tensor: String?, offset: Int, length: Int) {
      self.file = file
      self.tensor = tensor
      self.offset = offset
      self.length = length
    }

    /// Decodes a location; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      file = try document.decode(String.self, forKey: .file)
      tensor = try document.decodeIfPresent(String.self, forKey: .tensor)
      offset = try document.decode(Int.self, forKey: .offset)
      length = try document.decode(Int.self, forKey: .length)
    }
  }

  /// The origin of a tensor's values.
  public struct Origin: Sendable, Codable {
    /// The dataset or file.
    public var path: String
    /// The element type in the source.
    public var dtype: String
    /// The layout in the source.
    public var layout: String
    /// The shape in the source.
    public var shape: [Int]

    /// Creates a location in the source.
    public init(path: String, dtype: String, layout: String, shape: [Int]) {
      self.path = path
      self.dtype = dtype
      self.layout = layout
      self.shape = shape
    }

    /// Decodes a location; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      path = try document.decode(String.self, forKey: .path)
      dtype = try document.decode(String.self, forKey: .dtype)
      layout = try document.decode(String.self, forKey: .layout)
      shape = try document.decode([Int].self, forKey: .shape)
    }
  }

  /// A rearrangement in einops notation.
  public struct Move: Sendable, Codable {
    /// The pattern, such as `(h w i) o -> o h w i`.
    public var pattern: String
    /// The sizes that einops needs to split groups.
    public var sizes: [String: Int]
    /// The axes of the result, by letter, that are reversed afterwards.
    public var flip: [String]
    /// For each gate of the result, its index in the source; `nil` if the order is the same.
    public var gates: [Int]?

    /// Creates the notation of `rearrangement`.
    public init(_ rearrangement: Rearrangement) {
      pattern = rearrangement.pattern
      sizes = rearrangement.patternSizes
      flip = rearrangement.target.axes.filter(rearrangement.reversed.contains).map(\.lowercased)
      gates = rearrangement.gatePlaces
    }

    /// Decodes a rearrangement; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      pattern = try document.decode(String.self, forKey: .pattern)
      sizes = try document.decode([String: Int].self, forKey: .sizes)
      flip = try document.decode([String].self, forKey: .flip)
      gates = try document.decodeIfPresent([Int].self, forKey: .gates)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case name
    case layer
    case role
    case dtype
    case scale
    case layout
    case reversed
    case shape
    case source
    case rearrangement
    case places
    case sha256
    case supported
    case ambiguities
    case statistics
  }

  /// Decodes a tensor; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    name = try document.decode(String.self, forKey: .name)
    layer = try document.decode(String.self, forKey: .layer)
    role = try document.decode(String.self, forKey: .role)
    dtype = try document.decode(String.self, forKey: .dtype)
    scale = try document.decodeIfPresent(String.self, forKey: .scale)
    layout = try document.decode(String.self, forKey: .layout)
    reversed = try document.decode([String].self, forKey: .reversed)
    shape = try document.decode([Int].self, forKey: .shape)
    source = try document.decode(Origin.self, forKey: .source)
    rearrangement = try document.decode(Move.self, forKey: .rearrangement)
    places = try document.decode([String: Place].self, forKey: .places)
    guard !places.isEmpty else { throw NetconvError.noPlace }
    let known = OutputFormat.readable.map(\.rawValue)
    for name in places.keys.sorted() where !known.contains(name) {
      throw NetconvError.unknownPlace(name)
    }
    sha256 = try document.decode(String.self, forKey: .sha256)
    supported = try document.decode(Bool.self, forKey: .supported)
    ambiguities = try document.decodeIfPresent([[String]].self, forKey: .ambiguities) ?? []
    statistics = try document.decode(TensorStatistics.self, forKey: .statistics)
  }

  /// Encodes all keys; the scale only if there is one.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(name, forKey: .name)
    try document.encode(layer, forKey: .layer)
    try document.encode(role, forKey: .role)
    try document.encode(dtype, forKey: .dtype)
    try document.encodeIfPresent(scale, forKey: .scale)
    try document.encode(layout, forKey: .layout)
    try document.encode(reversed, forKey: .reversed)
    try document.encode(shape, forKey: .shape)
    try document.encode(source, forKey: .source)
    try document.encode(rearrangement, forKey: .rearrangement)
    try document.encode(places, forKey: .places)
    try document.encode(sha256, forKey: .sha256)
    try document.encode(supported, forKey: .supported)
    try document.encode(ambiguities, forKey: .ambiguities)
    try document.encode(statistics, forKey: .statistics)
  }
}

/// Statistics of the finite values of a tensor; `nil` if there are none.
public struct TensorStatistics: Sendable, Codable, Equatable {
  /// The smallest value.
  public var min: Double?
  /// The largest value.
  public var max: Double?
  /// The mean.
  public var mean: Double?
  /// The standard deviation of the population.
  public var std: Double?
  /// The number of infinities and NaNs.
  public var nonFinite: Int
  /// The index of the first of them, in the order of the source.
  public var firstNonFinite: Int?
  /// The number of values that are finite in the source but overflow the type written; `nil` if there are none.
  public var overflowed: Int?
  /// The index of the first of these, in the order of the source.
  public var firstOverflowed: Int?
  /// The largest magnitude of these in the source.
  public var largestOverflowed: Double?
  /// The number of normal values that became subnormal; `nil` if there are none.
  public var subnormal: Int?
  /// The number of non-zero values that became zero; `nil` if there are none.
  public var zeroed: Int?
  /// The largest relative error among values that are finite as written; `nil` if all are exact.
  public var worstRelativeError: Float?
  /// The root of the sum of squared errors divided by the sum of squared values; `nil` if all are exact.
  public var rmsRelativeError: Float?

  /// Creates statistics.
  init(
    min: Double? = nil, max: Double? = nil, mean: Double? = nil, std: Double? = nil, nonFinite: Int
  ) {
    self.min = min
    self.max = max
    self.mean = mean
    self.std = std
    self.nonFinite = nonFinite
  }

  private enum CodingKeys: String, CodingKey {
    case min
    case max
    case mean
    case std
    case nonFinite
    case firstNonFinite
    case overflowed
    case firstOverflowed
    case largestOverflowed
    case subnormal
    case zeroed
    case worstRelativeError
    case rmsRelativeError
  }

  /// Decodes statistics; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    min = try document.decode(Double?.self, forKey: .min)
    max = try document.decode(Double?.self, forKey: .max)
    mean = try document.decode(Double?.self, forKey: .mean)
    std = try document.decode(Double?.self, forKey: .std)
    nonFinite = try document.decode(Int.self, forKey: .nonFinite)
    firstNonFinite = try document.decodeIfPresent(Int.self, forKey: .firstNonFinite)
    overflowed = try document.decodeIfPresent(Int.self, forKey: .overflowed)
    firstOverflowed = try document.decodeIfPresent(Int.self, forKey: .firstOverflowed)
    largestOverflowed = try document.decodeIfPresent(Double.self, forKey: .largestOverflowed)
    subnormal = try document.decodeIfPresent(Int.self, forKey: .subnormal)
    zeroed = try document.decodeIfPresent(Int.self, forKey: .zeroed)
    worstRelativeError = try document.decodeIfPresent(Float.self, forKey: .worstRelativeError)
    rmsRelativeError = try document.decodeIfPresent(Float.self, forKey: .rmsRelativeError)
  }

  /// Encodes all keys, including those without a value.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(min, forKey: .min)
    try document.encode(max, forKey: .max)
    try document.encode(mean, forKey: .mean)
    try document.encode(std, forKey: .std)
    try document.encode(nonFinite, forKey: .nonFinite)
    try document.encodeIfPresent(firstNonFinite, forKey: .firstNonFinite)
    try document.encodeIfPresent(overflowed, forKey: .overflowed)
    try document.encodeIfPresent(firstOverflowed, forKey: .firstOverflowed)
    try document.encodeIfPresent(largestOverflowed, forKey: .largestOverflowed)
    try document.encodeIfPresent(subnormal, forKey: .subnormal)
    try document.encodeIfPresent(zeroed, forKey: .zeroed)
    try document.encodeIfPresent(worstRelativeError, forKey: .worstRelativeError)
    try document.encodeIfPresent(rmsRelativeError, forKey: .rmsRelativeError)
  }
}

extension NetconvError {
  fileprivate static var noPlace: NetconvError {
    NetconvError(.badData, "a tensor of the manifest has no location; convert the model again")
  }

  fileprivate static func unknownPlace(_ format: String) -> NetconvError {
    NetconvError(
      .badData, "a tensor of the manifest has a location in the unknown format \(quoted(format))")
  }
}
