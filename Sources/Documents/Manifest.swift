import ModelIR
import Operators

/// `manifest.json`: what a conversion wrote, from what, and how to check it.
///
/// `Schemas/manifest.v1.schema.json` describes it. The same bytes stand in the folder and in the archive.
public struct Manifest: Sendable, Codable {
  /// What `format` must say.
  public static let format = "netconv-manifest"
  /// The version that this netconv reads and writes.
  public static let version = 1
  /// The name of the file.
  public static let fileName = "manifest.json"

  /// Always ``format``.
  public var format = Manifest.format
  /// Always ``version``.
  public var version = Manifest.version
  /// The program that wrote it.
  public var producer: Producer
  /// What was converted.
  public var source: Source
  /// The consumer that the layouts are for.
  public var target: String
  /// The element type of kernels.
  public var dtype: String
  /// What was written beside the manifest, by the names of the containers.
  public var formats: [String]
  /// The network.
  public var content: Content
  /// Every tensor, in the order of the layers.
  public var tensors: [TensorRecord]
  /// What became of layers that can be folded; `nil` unless that was asked for.
  public var folded: FoldingRecord?
  /// The layers of the source in whose place an operator was put; `nil` if there are none.
  public var replaced: [ReplacementRecord]?
  /// Inputs and what each layer makes of them; `nil` if none were asked for.
  public var goldens: Goldens?
  /// SHA-256 of the document without the blanks between its values, with 64 zeros in this place, as hexadecimal; `nil`
  /// until ``encoded()`` computes it, and in manifests that were written before there was one.
  public internal(set) var sha256: String?

  /// A manifest of `content`.
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

  /// What was written of a network.
  public enum Content: Sendable {
    /// The graph, with the place of each parameter: the key `model`.
    case model(ModelDocument)
    /// The places of the parameters alone: the key `weights`.
    case weights(WeightsDocument)
  }

  /// The containers among ``formats``, in the order in which a reader prefers them.
  public var containers: [OutputFormat] {
    OutputFormat.allCases.filter { formats.contains($0.rawValue) }
  }

  /// The graph, if it was written.
  public var model: ModelDocument? {
    if case .model(let model) = content { model } else { nil }
  }

  /// Reads a manifest; a key that it does not have is an error.
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

  /// Writes a manifest.
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

  /// Decodes a manifest and checks format, version and its checksum, if it states one.
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

  /// Where the goldens are.
  public struct Goldens: Sendable, Codable, Equatable {
    /// The path of their document, in the folder and in the archive.
    public var file: String
    /// Of its bytes.
    public var sha256: String
    /// The files beside it with the values.
    public var values: [String]

    /// Goldens in `file`.
    public init(file: String, sha256: String, values: [String]) {
      self.file = file
      self.sha256 = sha256
      self.values = values
    }

    /// Reads the place; a key that it does not have is an error.
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

    /// This program in `version`.
    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }

    /// Reads a program; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      version = try document.decode(String.self, forKey: .version)
    }
  }

  /// What was converted.
  public struct Source: Sendable, Codable {
    /// The reader that read it: `keras-h5`.
    public var format: String
    /// The file or folder, without its path.
    public var file: String
    /// Bytes of all its files.
    public var bytes: Int
    /// SHA-256 of the file; of a folder, of its files one after the other, in the order of their use.
    public var sha256: String
    /// What wrote it, if it says so: `keras 2.15.0`.
    public var framework: String?
    /// What was read otherwise than it is stored, or what written values stand for; `nil` if there is nothing to say.
    public var notes: [String]?
    /// Which part of it is the model, where that was said when it was converted; `nil` if it was not.
    public var part: Part?

    /// A part of a source: of a graph of TensorFlow or ONNX, between nodes; of a PyTorch file, one of its networks.
    public struct Part: Sendable, Codable, Equatable {
      /// The nodes that are fed; `nil` if they were not named.
      public var inputs: [String]?
      /// The nodes that are asked for; `nil` if they were not named.
      public var outputs: [String]?
      /// The network; `nil` if it was not named.
      public var entry: String?
      /// Whether quantised weights were left as codes; `nil` if not.
      public var raw: Bool?

      /// The part that was named; `nil` if none was.
      public init?(_ selection: GraphSelection) {
        guard selection.namesNodes || selection.entry != nil || selection.readsCodes else {
          return nil
        }
        inputs = selection.inputs.isEmpty ? nil : selection.inputs
        outputs = selection.outputs.isEmpty ? nil : selection.outputs
        entry = selection.entry
        raw = selection.readsCodes ? true : nil
      }

      /// Reads a part; a key that it does not have is an error.
      public init(from decoder: any Decoder) throws {
        let document = try decoder.attributes(CodingKeys.self)
        inputs = try document.decodeIfPresent([String].self, forKey: .inputs)
        outputs = try document.decodeIfPresent([String].self, forKey: .outputs)
        entry = try document.decodeIfPresent(String.self, forKey: .entry)
        raw = try document.decodeIfPresent(Bool.self, forKey: .raw)
      }

      /// The part, as it is asked for.
      public var selection: GraphSelection {
        GraphSelection(
          inputs: inputs ?? [], outputs: outputs ?? [], entry: entry, readsCodes: raw ?? false)
      }
    }

    /// A source.
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

    /// Reads a source; a key that it does not have is an error.
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

    /// Writes every key, also a framework that is not known; notes and a part only if there are some.
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
