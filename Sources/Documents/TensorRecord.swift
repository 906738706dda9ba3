import ModelIR

/// A tensor that a conversion wrote, in the manifest.
public struct TensorRecord: Sendable, Codable {
  /// Unique; the file's name without its ending.
  public var name: String
  /// The layer that it belongs to.
  public var layer: String
  /// What it is to the layer.
  public var role: String
  /// How each value is written.
  public var dtype: String
  /// The order of the axes.
  public var layout: String
  /// The shape in that order.
  public var shape: [Int]
  /// Where the values came from.
  public var source: Origin
  /// How they were moved.
  public var rearrangement: Move
  /// The path in the folder and in the archive.
  public var file: String
  /// Bytes.
  public var length: Int
  /// Where in the archive the values begin; `null` without an archive.
  public var archiveOffset: Int?
  /// Of the bytes written.
  public var sha256: String
  /// Whether the target has a layout for the role; if not, the source's was kept.
  public var supported: Bool
  /// What the values are like, as they were written.
  public var statistics: TensorStatistics

  /// A tensor that was written.
  public init(
    name: String, layer: String, role: String, dtype: String, layout: String, shape: [Int],
    source: Origin, rearrangement: Move, file: String, length: Int, archiveOffset: Int?,
    sha256: String, supported: Bool, statistics: TensorStatistics
  ) {
    self.name = name
    self.layer = layer
    self.role = role
    self.dtype = dtype
    self.layout = layout
    self.shape = shape
    self.source = source
    self.rearrangement = rearrangement
    self.file = file
    self.length = length
    self.archiveOffset = archiveOffset
    self.sha256 = sha256
    self.supported = supported
    self.statistics = statistics
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
  }

  /// A rearrangement in einops notation.
  public struct Move: Sendable, Codable {
    /// `(h w i) o -> o h w i`.
    public var pattern: String
    /// The sizes that einops needs to split groups.
    public var sizes: [String: Int]
    /// Axes of the result, by letter, that were reversed afterwards.
    public var flip: [String]

    /// The notation of `rearrangement`.
    public init(_ rearrangement: Rearrangement) {
      pattern = rearrangement.pattern
      sizes = rearrangement.patternSizes
      flip = rearrangement.target.axes.filter(rearrangement.reversed.contains).map(\.lowercased)
    }
  }

  /// Writes every key, also those without a value.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(name, forKey: .name)
    try document.encode(layer, forKey: .layer)
    try document.encode(role, forKey: .role)
    try document.encode(dtype, forKey: .dtype)
    try document.encode(layout, forKey: .layout)
    try document.encode(shape, forKey: .shape)
    try document.encode(source, forKey: .source)
    try document.encode(rearrangement, forKey: .rearrangement)
    try document.encode(file, forKey: .file)
    try document.encode(length, forKey: .length)
    try document.encode(archiveOffset, forKey: .archiveOffset)
    try document.encode(sha256, forKey: .sha256)
    try document.encode(supported, forKey: .supported)
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
  }
}
