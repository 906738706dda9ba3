import ModelIR
import Operators

/// `manifest.json`: the contents of a conversion, its source, and checksums.
///
/// `Schemas/manifest.v1.schema.json` describes it. The folder and the archive contain the same bytes.
public struct Manifest: Sendable, Codable {
  /// The required value of `format`.
  public static let format = "netconv-manifest"
  /// The version that this netconv reads and writes.
  public static let version = 1
  /// The name of the file.
  public static let fileName = "manifest.json"

  /// Always ``format``.
  public var format = Manifest.format
  /// Always ``version``.
  public var version = Manifest.version
  /// The program that wrote the manifest.
  public var producer: Producer
  /// The source of the conversion.
  public var source: Source
  /// The target that the layouts are for.
  public var target: String
  /// The element type of kernels.
  public var dtype: String
  /// The containers written next to the manifest, by name.
  public var formats: [String]
  /// The network.
  public var content: Content
  /// All tensors, in the order of the layers.
  public var tensors: [TensorRecord]
  /// The result of folding; `nil` unless it was requested.
  public var folded: FoldingRecord?
  /// The layers of the source that were replaced by operators; `nil` if there are none.
  public var replaced: [ReplacementRecord]?
  /// The goldens; `nil` if none were requested.
  public var goldens: Goldens?
  /// The SHA-256 of the document without white space and with 64 zeros in this place, as hexadecimal digits.
  ///
  /// It is `nil` until ``encoded()`` computes it, and in manifests from before this key existed.
  public internal(set) var sha256: String?

  /// Creates a manifest of `content`.
  public init(
    producer: Producer, source: Source, target: String, dtype: String, formats: [String],
    content: Content, tensors: [TensorRecord], folded: FoldingRecord? = nil,
    replaced: [ReplacementRecord]? = nil, goldens: Goldens? = nil
  ) {
    self.producer = producer
    self.source = source
    self.target = target
    self.dtype = dtype
    self.formats = formats
    self.content = content
    self.tensors = tensors
    self.folded = folded
    self.replaced = replaced
    self.goldens = goldens
  }

  private enum CodingKeys: String, CodingKey {
    case format
    case version
    case producer
    case source
    case target
    case dtype
    case formats
    case model
    case weights
    case tensors
    case folded
    case replaced
    case goldens
    case sha256
  }

  /// The part of a network that was written.
  public enum Content: Sendable {
    /// The graph, with the location of each parameter: the key `model`.
    case model(ModelDocument)
    /// The locations of the parameters only: the key `weights`.
    case weights(WeightsDocument)
  }

  /// The containers among ``formats``, in the order in which readers prefer them.
  public var containers: [OutputFormat] {
    OutputFormat.allCases.filter { formats.contains($0.rawValue) }
  }

  /// The graph, if it was written.
  public var model: ModelDocument? {
    if case .model(let model) = content { model } else { nil }
  }

  /// Decodes a manifest; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    format = try document.decode(String.self, forKey: .format)
    version = try document.decode(Int.self, forKey: .version)
    producer = try document.decode(Producer.self, forKey: .producer)
    source = try document.decode(Source.self, forKey: .source)
    target = try document.decode(String.self, forKey: .target)
    dtype = try document.decode(String.self, forKey: .dtype)
    formats = try document.decode([String].self, forKey: .formats)
    guard document.contains(.model) != document.contains(.weights) else {
      throw NetconvError.modelOrWeights
    }
    content =
      document.contains(.model)
      ? .model(try document.decode(ModelDocument.self, forKey: .model))
      : .weights(try document.decode(WeightsDocument.self, forKey: .weights))
    tensors = try document.decode([TensorRecord].self, forKey: .tensors)
    folded = try document.decodeIfPresent(FoldingRecord.self, forKey: .folded)
    replaced = try document.decodeIfPresent([ReplacementRecord].self, forKey: .replaced)
    goldens = try document.decodeIfPresent(Goldens.self, forKey: .goldens)
    sha256 = try document.decodeIfPresent(String.self, forKey: .sha256)
  }

  /// Encodes a manifest.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(format, forKey: .format)
    try document.encode(version, forKey: .version)
    try document.encode(producer, forKey: .producer)
    try document.encode(source, forKey: .source)
    try document.encode(target, forKey: .target)
    try document.encode(dtype, forKey: .dtype)
    try document.encode(formats, forKey: .formats)
    switch content {
    case .model(let model): try document.encode(model, forKey: .model)
    case .weights(let weights): try document.encode(weights, forKey: .weights)
    }
    try document.encode(tensors, forKey: .tensors)
    try document.encodeIfPresent(folded, forKey: .folded)
    try document.encodeIfPresent(replaced, forKey: .replaced)
    try document.encodeIfPresent(goldens, forKey: .goldens)
    try document.encodeIfPresent(sha256, forKey: .sha256)
  }

  /// Decodes a manifest and checks its format, version and checksum, if there is one.
  ///
  /// - Throws: `badData`.
  public static func decode(_ bytes: [UInt8]) throws(NetconvError) -> Manifest {
    struct Header: Decodable {
      var format: String
      var version: Int
    }
    let header = try JSONDocument.decode(Header.self, from: bytes)
    guard header.format == format else { throw .wrongFormat(header.format, expected: format) }
    guard header.version == version else { throw .wrongVersion(header.version, expected: version) }
    let manifest = try JSONDocument.decode(Manifest.self, from: bytes)
    try manifest.checkChecksum(bytes)
    return manifest
  }

  /// The location of the goldens.
  public struct Goldens: Sendable, Codable, Equatable {
    /// The path of the goldens document, in the folder and in the archive.
    public var file: String
    /// The SHA-256 of the document.
    public var sha256: String
    /// The files with the values, next to the document.
    public var values: [String]

    /// Creates the location of goldens in `file`.
    public init(file: String, sha256: String, values: [String]) {
      self.file = file
      self.sha256 = sha256
      self.values = values
    }

    /// Decodes a location; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      file = try document.decode(String.self, forKey: .file)
      sha256 = try document.decode(String.self, forKey: .sha256)
      values = try document.decode([String].self, forKey: .values)
    }
  }

  /// A program and its version.
  public struct Producer: Sendable, Codable {
    /// The program.
    public var name: String
    /// Its version.
    public var version: String

    /// Creates a program called `name` in the given version.
    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }

    /// Decodes a program; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      version = try document.decode(String.self, forKey: .version)
    }
  }

  /// The source of the conversion.
  public struct Source: Sendable, Codable {
    /// The reader that read the source: `keras-h5`.
    public var format: String
    /// The name of the file or folder, without its path.
    public var file: String
    /// The total size of all files in bytes.
    public var bytes: Int
    /// The SHA-256 of the file; for a folder, of its files concatenated in order of use.
    public var sha256: String
    /// The framework that wrote the source, if it is recorded: `keras 2.15.0`.
    public var framework: String?
    /// Notes on values that were read differently from how they are stored, or on their meaning; `nil` if there are
    /// none.
    public var notes: [String]?
    /// The part of the source that was converted, if it was specified; otherwise `nil`.
    public var part: Part?

    /// The part of a source that is the model: a subgraph of TensorFlow or ONNX, or one network of a PyTorch file.
    public struct Part: Sendable, Codable, Equatable {
      /// The input nodes; `nil` if they were not specified.
      public var inputs: [String]?
      /// The output nodes; `nil` if they were not specified.
      public var outputs: [String]?
      /// The network; `nil` if it was not specified.
      public var entry: String?
      /// True if quantised weights were left as codes; `nil` if not.
      public var raw: Bool?

      /// Creates the record of a selection; `nil` if the whole source was used.
      public init?(_ selection: GraphSelection) {
        guard selection.namesNodes || selection.entry != nil || selection.readsCodes else {
          return nil
        }
        inputs = selection.inputs.isEmpty ? nil : selection.inputs
        outputs = selection.outputs.isEmpty ? nil : selection.outputs
        entry = selection.entry
        raw = selection.readsCodes ? true : nil
      }

      /// Decodes a part; an unknown key is an error.
      public init(from decoder: any Decoder) throws {
        let document = try decoder.attributes(CodingKeys.self)
        inputs = try document.decodeIfPresent([String].self, forKey: .inputs)
        outputs = try document.decodeIfPresent([String].self, forKey: .outputs)
        entry = try document.decodeIfPresent(String.self, forKey: .entry)
        raw = try document.decodeIfPresent(Bool.self, forKey: .raw)
      }

      /// The part as a selection.
      public var selection: GraphSelection {
        GraphSelection(
          inputs: inputs ?? [], outputs: outputs ?? [], entry: entry, readsCodes: raw ?? false)
      }
    }

    /// Creates a source.
    public init(
      format: String, file: String, bytes: Int, sha256: String, framework: String?,
      notes: [String]? = nil
    ) {
      self.format = format
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
      self.framework = framework
      self.notes = notes
    }

    private enum CodingKeys: String, CodingKey {
      case format
      case file
      case bytes
      case sha256
      case framework
      case notes
      case part
    }

    /// Decodes a source; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      format = try document.decode(String.self, forKey: .format)
      file = try document.decode(String.self, forKey: .file)
      bytes = try document.decode(Int.self, forKey: .bytes)
      sha256 = try document.decode(String.self, forKey: .sha256)
      framework = try document.decode(String?.self, forKey: .framework)
      notes = try document.decodeIfPresent([String].self, forKey: .notes)
      part = try document.decodeIfPresent(Part.self, forKey: .part)
    }

    /// Encodes all keys, including an unknown framework; notes and a part only if they exist.
    public func encode(to encoder: any Encoder) throws {
      var document = encoder.container(keyedBy: CodingKeys.self)
      try document.encode(format, forKey: .format)
      try document.encode(file, forKey: .file)
      try document.encode(bytes, forKey: .bytes)
      try document.encode(sha256, forKey: .sha256)
      try document.encode(framework, forKey: .framework)
      try document.encodeIfPresent(notes, forKey: .notes)
      try document.encodeIfPresent(part, forKey: .part)
    }
  }
}

extension NetconvError {
  fileprivate static var modelOrWeights: NetconvError {
    NetconvError(
      .badData, "a manifest holds either 'model' or 'weights'; this one holds neither or both")
  }
}
