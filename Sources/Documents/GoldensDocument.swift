import ModelIR

/// `goldens.json`: inputs of a model, and what each of its layers makes of them; Docs/goldens.md.
///
/// `Schemas/goldens.v1.schema.json` describes it. Values are in two files beside it, little-endian float32.
public struct GoldensDocument: Sendable, Codable {
  /// What `format` must say.
  public static let format = "netconv-goldens"
  /// The version that this netconv reads and writes.
  public static let version = 1
  /// The path of the document, in the folder and in the archive.
  public static let fileName = "goldens/goldens.json"
  /// The path of the inputs' values.
  public static let inputsName = "goldens/inputs.bin"
  /// The path of the outputs' values.
  public static let outputsName = "goldens/outputs.bin"

  /// Always ``format``.
  public var format = GoldensDocument.format
  /// Always ``version``.
  public var version = GoldensDocument.version
  /// The weights that they are of: ``Manifest/weightsHash``.
  public var weights: String
  /// How many samples there are.
  public var samples: Int
  /// Where the inputs come from.
  public var origin: String
  /// The inputs, in the order of the model.
  public var inputs: [Input]
  /// The layers, each after those it reads.
  public var layers: [Layer]
  /// The inputs' values.
  public var inputValues: File
  /// The outputs' values.
  public var outputValues: File

  /// Goldens of the model with these `weights`.
  public init(
    weights: String, samples: Int, origin: String, inputs: [Input], layers: [Layer],
    inputValues: File, outputValues: File
  ) {
    self.weights = weights
    self.samples = samples
    self.origin = origin
    self.inputs = inputs
    self.layers = layers
    self.inputValues = inputValues
    self.outputValues = outputValues
  }

  /// Reads goldens; a key that they do not have, another format or another version is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    try document.check(Self.format, .format, Self.version, .version)
    weights = try document.decode(String.self, forKey: .weights)
    samples = try document.decode(Int.self, forKey: .samples)
    origin = try document.decode(String.self, forKey: .origin)
    inputs = try document.decode([Input].self, forKey: .inputs)
    layers = try document.decode([Layer].self, forKey: .layers)
    inputValues = try document.decode(File.self, forKey: .inputValues)
    outputValues = try document.decode(File.self, forKey: .outputValues)
  }

  /// A file beside the document.
  public struct File: Sendable, Codable, Equatable {
    /// The path in the folder and in the archive.
    public var file: String
    /// Bytes.
    public var length: Int
    /// Of the bytes.
    public var sha256: String

    /// A file of `length` bytes.
    public init(file: String, length: Int, sha256: String) {
      self.file = file
      self.length = length
      self.sha256 = sha256
    }

    /// Reads a file; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      file = try document.decode(String.self, forKey: .file)
      length = try document.decode(Int.self, forKey: .length)
      sha256 = try document.decode(String.self, forKey: .sha256)
    }
  }

  /// An input of the model.
  public struct Input: Sendable, Codable {
    /// Its name.
    public var name: String
    /// The shape of a sample, channels last.
    public var shape: [Int]
    /// Where in the file its values begin, in bytes: sample after sample.
    public var offset: Int

    /// An input called `name`.
    public init(name: String, shape: [Int], offset: Int) {
      self.name = name
      self.shape = shape
      self.offset = offset
    }

    /// Reads an input; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      shape = try document.decode([Int].self, forKey: .shape)
      offset = try document.decode(Int.self, forKey: .offset)
    }
  }

  /// A layer of the model.
  public struct Layer: Sendable, Codable {
    /// Its name.
    public var name: String
    /// Its operator.
    public var `operator`: String
    /// The shape of a sample of its output, channels last.
    public var shape: [Int]
    /// Where in the file its values begin, in bytes: sample after sample, each all values or those at ``positions``.
    public var offset: Int
    /// Places in a sample's values, in C order, of those that are in the file; `nil` if all are.
    public var positions: [Int]?
    /// What all values of each sample are like; `nil` if all are in the file.
    public var statistics: [Statistics]?
    /// The largest distance from the values that is no mistake, for a program that computes in float32.
    public var float32: Double
    /// The same for one that stores activations in half precision; `nil` if the values are beyond it.
    public var float16: Double?

    /// A layer called `name`.
    public init(
      name: String, operator: String, shape: [Int], offset: Int, positions: [Int]?,
      statistics: [Statistics]?, float32: Double, float16: Double?
    ) {
      self.name = name
      self.operator = `operator`
      self.shape = shape
      self.offset = offset
      self.positions = positions
      self.statistics = statistics
      self.float32 = float32
      self.float16 = float16
    }

    private enum CodingKeys: String, CodingKey {
      case name
      case `operator`
      case shape
      case offset
      case positions
      case statistics
      case tolerance
    }

    private enum ToleranceKeys: String, CodingKey {
      case float32
      case float16
    }

    /// Reads a layer; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      `operator` = try document.decode(String.self, forKey: .operator)
      shape = try document.decode([Int].self, forKey: .shape)
      offset = try document.decode(Int.self, forKey: .offset)
      positions = try document.decodeIfPresent([Int].self, forKey: .positions)
      statistics = try document.decodeIfPresent([Statistics].self, forKey: .statistics)
      let tolerance = try document.superDecoder(forKey: .tolerance).attributes(ToleranceKeys.self)
      float32 = try tolerance.decode(Double.self, forKey: .float32)
      float16 = try tolerance.decode(Double?.self, forKey: .float16)
    }

    /// Writes a layer.
    public func encode(to encoder: any Encoder) throws {
      var document = encoder.container(keyedBy: CodingKeys.self)
      try document.encode(name, forKey: .name)
      try document.encode(`operator`, forKey: .operator)
      try document.encode(shape, forKey: .shape)
      try document.encode(offset, forKey: .offset)
      try document.encodeIfPresent(positions, forKey: .positions)
      try document.encodeIfPresent(statistics, forKey: .statistics)
      var tolerance = document.nestedContainer(keyedBy: ToleranceKeys.self, forKey: .tolerance)
      try tolerance.encode(float32, forKey: .float32)
      try tolerance.encode(float16, forKey: .float16)
    }
  }

  /// What the values of a sample are like.
  public struct Statistics: Sendable, Codable, Equatable {
    /// The smallest value.
    public var min: Double?
    /// The largest value.
    public var max: Double?
    /// The mean.
    public var mean: Double?
    /// The square root of the sum of all squares.
    public var norm: Double?
    /// How many values are not finite, and in none of the figures; `nil` if all are finite, or if it was not counted.
    public var notFinite: Int?

    /// The figures of those of `values` that are finite, in Double; `nil` if none is.
    public init(_ values: [Float]) {
      let finite = values.filter(\.isFinite)
      if finite.count < values.count { notFinite = values.count - finite.count }
      guard !finite.isEmpty else { return }
      min = finite.min().map(Double.init)
      max = finite.max().map(Double.init)
      mean = finite.reduce(0) { $0 + Double($1) } / Double(finite.count)
      norm = finite.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
    }

    /// Reads statistics; a key that they do not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      min = try document.decodeIfPresent(Double.self, forKey: .min)
      max = try document.decodeIfPresent(Double.self, forKey: .max)
      mean = try document.decodeIfPresent(Double.self, forKey: .mean)
      norm = try document.decodeIfPresent(Double.self, forKey: .norm)
      notFinite = try document.decodeIfPresent(Int.self, forKey: .notFinite)
    }

    private enum CodingKeys: String, CodingKey {
      case min
      case max
      case mean
      case norm
      case notFinite
    }

    /// Writes every figure, also those that are not known.
    public func encode(to encoder: any Encoder) throws {
      var document = encoder.container(keyedBy: CodingKeys.self)
      try document.encode(min, forKey: .min)
      try document.encode(max, forKey: .max)
      try document.encode(mean, forKey: .mean)
      try document.encode(norm, forKey: .norm)
      try document.encodeIfPresent(notFinite, forKey: .notFinite)
    }
  }
}
