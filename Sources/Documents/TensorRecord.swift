import ModelIR
import Operators

/// A tensor that a conversion wrote, in the manifest.
public struct TensorRecord: Sendable, Codable {
  /// Unique; what the tensor is called in containers, and its own file without the ending.
  public var name: String
  /// The layer that it belongs to.
  public var layer: String
  /// What it is to the layer.
  public var role: String
  /// How each value is written.
  public var dtype: String
  /// The name of the tensor of the scales that integers are multiplied by; `nil` for values that are what they are.
  public var scale: String?
  /// The order of the axes.
  public var layout: String
  /// The axes, by letter, along which the values lie in reversed order, as the consumer wants them.
  public var reversed: [String]
  /// The shape in that order.
  public var shape: [Int]
  /// Where the values came from.
  public var source: Origin
  /// How they were moved.
  public var rearrangement: Move
  /// Where the values are, by the name of the format; the same bytes in each.
  public var places: [String: Place]
  /// Of the bytes written.
  public var sha256: String
  /// Whether the target has a layout for the role; if not, the source's was kept.
  public var supported: Bool
  /// Sets of axes, by letter, that the shape in the source does not tell apart.
  public var ambiguities: [[String]]
  /// What the values are like, as they were written.
  public var statistics: TensorStatistics

  /// A tensor that was written.
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

  /// The place in the format that is read first; every tensor has one.
  public var place: Place {
    OutputFormat.readable.lazy.compactMap { places[$0.rawValue] }.first
      ?? Place(file: "", tensor: nil, offset: 0, length: 0)
  }

  /// Bytes of the values.
  public var length: Int { place.length }

  /// Where the values of a tensor were written.
  public struct Place: Sendable, Codable, Equatable {
    /// The file, relative to the manifest.
    public var file: String
    /// What the tensor is called in that file; `nil` where the file holds nothing else.
    public var tensor: String?
    /// Where in the file the values begin, in bytes.
    public var offset: Int
    /// Bytes of the values.
    public var length: Int

    /// The place, for people: `weights/conv_W.bin`, or `model.npz:conv/kernel`.
    public var path: String { tensor.map { "\(file):\($0)" } ?? file }

    /// A place in `file`.
    public init(file: String, tensor: String?, offset: Int, length: Int) {
      self.file = file
      self.tensor = tensor
      self.offset = offset
      self.length = length
    }

    /// Reads a place; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      file = try document.decode(String.self, forKey: .file)
      tensor = try document.decodeIfPresent(String.self, forKey: .tensor)
      offset = try document.decode(Int.self, forKey: .offset)
      length = try document.decode(Int.self, forKey: .length)
    }
  }

  /// Where the values of a tensor came from.
  public struct Origin: Sendable, Codable {
    /// The dataset or file.
    public var path: String
    /// How each value is stored there.
    public var dtype: String
    /// The order of the axes there.
    public var layout: String
    /// The shape there.
    public var shape: [Int]

    /// A place in the source.
    public init(path: String, dtype: String, layout: String, shape: [Int]) {
      self.path = path
      self.dtype = dtype
      self.layout = layout
      self.shape = shape
    }

    /// Reads a place; a key that it does not have is an error.
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
    /// `(h w i) o -> o h w i`.
    public var pattern: String
    /// The sizes that einops needs to split groups.
    public var sizes: [String: Int]
    /// Axes of the result, by letter, that were reversed afterwards.
    public var flip: [String]
    /// For each gate of the result, its place among those of the source; `nil` where they lie in the same order.
    public var gates: [Int]?

    /// The notation of `rearrangement`.
    public init(_ rearrangement: Rearrangement) {
      pattern = rearrangement.pattern
      sizes = rearrangement.patternSizes
      flip = rearrangement.target.axes.filter(rearrangement.reversed.contains).map(\.lowercased)
      gates = rearrangement.gatePlaces
    }

    /// Reads a rearrangement; a key that it does not have is an error.
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

  /// Reads a tensor; a key that it does not have is an error.
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

  /// Writes every key, but the scale only where there is one.
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

/// What the values of a tensor are like; over the finite ones, and `nil` if there is none.
public struct TensorStatistics: Sendable, Codable, Equatable {
  /// The smallest value.
  public var min: Double?
  /// The largest value.
  public var max: Double?
  /// The mean.
  public var mean: Double?
  /// The standard deviation (of the population).
  public var std: Double?
  /// How many values are infinite or not a number.
  public var nonFinite: Int
  /// The first of them, as an index in the source's order.
  public var firstNonFinite: Int?
  /// How many of them are finite in the source, but too large for the type that was written; `nil` if none.
  public var overflowed: Int?
  /// The first of these, as an index in the source's order.
  public var firstOverflowed: Int?
  /// The largest magnitude of these in the source.
  public var largestOverflowed: Double?
  /// How many values became subnormal, though they were not; `nil` if none.
  public var subnormal: Int?
  /// How many values became zero, though they were not; `nil` if none.
  public var zeroed: Int?
  /// The largest relative error of a value that is finite as written; `nil` if all are exact.
  public var worstRelativeError: Float?
  /// The root of all squared errors over all squared values; `nil` if all are exact.
  public var rmsRelativeError: Float?

  /// What some values are like.
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

  /// Reads statistics; a key that they do not have is an error.
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

  /// Writes every key, also those without a value.
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
