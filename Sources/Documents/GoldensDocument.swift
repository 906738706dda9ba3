import ModelIR

/// `goldens.json`: inputs of a model and the resulting outputs of each layer; Docs/goldens.md.
///
/// `Schemas/goldens.v1.schema.json` describes it. Values are stored in two files next to it, as little-endian float32.
public struct GoldensDocument: Sendable, Codable {
  /// The required value of `format`.
  public static let format = "netconv-goldens"
  /// The version that this netconv reads and writes.
  public static let version = 1
  /// The path of the document, in the folder and in the archive.
  public static let fileName = "goldens/goldens.json"
  /// The path of the input values.
  public static let inputsName = "goldens/inputs.bin"
  /// The path of the output values.
  public static let outputsName = "goldens/outputs.bin"

  /// Always ``format``.
  public var format = GoldensDocument.format
  /// Always ``version``.
  public var version = GoldensDocument.version
  /// The hash of the weights that the goldens belong to: ``Manifest/weightsHash``.
  public var weights: String
  /// The number of samples.
  public var samples: Int
  /// The origin of the inputs.
  public var origin: String
  /// The inputs, in the order of the model.
  public var inputs: [Input]
  /// The layers in topological order.
  public var layers: [Layer]
  /// The file of the input values.
  public var inputValues: File
  /// The file of the output values.
  public var outputValues: File

  /// Creates goldens of the model with these `weights`.
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

  /// Decodes goldens; an unknown key, another format or another version is an error.
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

  /// A file next to the document.
  public struct File: Sendable, Codable, Equatable {
    /// The path in the folder and in the archive.
    public var file: String
    /// The size in bytes.
    public var length: Int
    /// The SHA-256 of the file.
    public var sha256: String

    /// Creates a record of a file of `length` bytes.
    public init(file: String, length: Int, sha256: String) {
      self.file = file
      self.length = length
      self.sha256 = sha256
    }

    /// Decodes a file; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      file = try document.decode(String.self, forKey: .file)
      length = try document.decode(Int.self, forKey: .length)
      sha256 = try document.decode(String.self, forKey: .sha256)
    }
  }

  /// An input of the model.
  public struct Input: Sendable, Codable {
    /// The name of the input.
    public var name: String
    /// The shape of a sample, channels last.
    public var shape: [Int]
    /// The offset of its values in the file, in bytes; samples are consecutive.
    public var offset: Int

    /// Creates an input called `name`.
    public init(name: String, shape: [Int], offset: Int) {
      self.name = name
      self.shape = shape
      self.offset = offset
    }

    /// Decodes an input; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      shape = try document.decode([Int].self, forKey: .shape)
      offset = try document.decode(Int.self, forKey: .offset)
    }
  }

  /// A layer of the model.
  public struct Layer: Sendable, Codable {
    /// The name of the layer.
    public var name: String
    /// The layer's operator.
    public var `operator`: String
    /// The shape of an output sample, channels last.
    public var shape: [Int]
    /// The offset of its values in the file, in bytes; samples are consecutive, with all values or those at
    /// ``positions``.
    public var offset: Int
    /// The row-major indices of a sample's values that are stored; `nil` if all are.
    public var positions: [Int]?
    /// Statistics over all values of each sample; `nil` if all values are stored.
    public var statistics: [Statistics]?
    /// The tolerance for a program that computes in float32.
    public var float32: Double
    /// The tolerance for a program that stores activations in half precision; `nil` if the values overflow it.
    public var float16: Double?

    /// Creates a layer called `name`.
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

    /// Decodes a layer; an unknown key is an error.
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

    /// Encodes a layer.
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

  /// Statistics of the values of a sample.
  public struct Statistics: Sendable, Codable, Equatable {
    /// The smallest value.
    public var min: Double?
    /// The largest value.
    public var max: Double?
    /// The mean.
    public var mean: Double?
    /// The Euclidean norm.
    public var norm: Double?
    /// The number of non-finite values, which the statistics exclude; `nil` if all are finite, or if they were not
    /// counted.
    public var notFinite: Int?

    /// Computes the statistics of the finite values among `values`, in Double; they are `nil` if none is finite.
    public init(_ values: [Float]) {
      let finite = values.filter(\.isFinite)
      if finite.count < values.count { notFinite = values.count - finite.count }
      guard !finite.isEmpty else { return }
      min = finite.min().map(Double.init)
      max = finite.max().map(Double.init)
      mean = finite.reduce(0) { $0 + Double($1) } / Double(finite.count)
      norm = finite.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
    }

    /// Decodes statistics; an unknown key is an error.
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

    /// Encodes all statistics, including those without a value.
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
