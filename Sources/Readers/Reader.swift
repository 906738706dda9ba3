import Documents
import Files
import HDF5
import ModelIR
import Zlib

/// What a reader needs to know besides the path.
public struct ReaderOptions: Sendable {
  /// The architecture, for sources that hold only weights.
  public var architecture: Architecture?
  /// Whether weights will do where the graph cannot be read.
  public var acceptsWeights: Bool
  /// What is put in the place of layers that cannot be read.
  public var replacements: LayerReplacements
  /// Other names for the variables of a checkpoint or a graph.
  public var renames: VariableRenames
  /// Whether options are passed over that the source's format does not take, as for one of two sources; a source that
  /// holds its own architecture is then read by that, although one is named.
  public var allowsOwnArchitecture = false
  /// Which part of the source is the model.
  public var graph: GraphSelection
  /// Whether a source will do in which nothing is found, or not all that is there: to tell what is in a file.
  public var acceptsNothing = false

  /// By default, no architecture besides the source's own, a graph that can be read, layers and names as they are.
  public init(
    architecture: Architecture? = nil, acceptsWeights: Bool = false,
    replacements: LayerReplacements = .none, renames: VariableRenames = .none,
    graph: GraphSelection = GraphSelection()
  ) {
    self.architecture = architecture
    self.acceptsWeights = acceptsWeights
    self.replacements = replacements
    self.renames = renames
    self.graph = graph
  }
}

/// A source that was read, and what is known about where it came from.
public struct ReadSource: Sendable {
  /// The reader's name: `keras-h5`.
  public let format: String
  /// As the user named it.
  public let path: String
  /// What wrote it, if it says so.
  public let framework: String?
  /// The files that make up the source, in the order of their use.
  public let files: [RandomAccessFile]
  /// What the source holds; its tensors refer into ``files``.
  public internal(set) var network: Network
  /// Why the graph could not be read, where weights had to do.
  public var problem: NetconvError?
  /// What in the file does not fit together or cannot be read, where weights had to do all the same.
  public var misfits: [NetconvError] = []
  /// The layers in whose place an operator was put.
  public var replaced: [ReplacementRecord] = []
  /// What a conversion wrote, if this is its output.
  public let converted: ConvertedSource?
  /// What was read otherwise than it is stored, or is to be read otherwise than it is written.
  public var notes: [SourceNote] = []
  /// The variables that got other names.
  public var renamed: Set<String> = []
  /// Whether the architecture that was named is the graph's.
  public var usesNamedArchitecture = false
  /// How many arrays of the source are not weights and were left out: what an optimizer keeps, counters, metrics.
  public var leftOutCount = 0
  /// Whether its format lets a part be asked for by the names of nodes.
  var takesGraphEnds = false
  /// Whether its format can hold several networks, of which one is asked for by its name.
  var takesEntries = false
  /// Parts of ``files`` with a checksum that reading the model did not look at.
  public var unchecked: [UncheckedPart] = []
  /// Samples that the source holds beside its network to test it with, or why nothing can be compared with them; `nil` if
  /// it holds none.
  public var testVectors: Result<TestVectors, NetconvError>?
  /// What Python would do while it loads the file; `nil` if it holds no pickles.
  public var pickles: PickleScan?
  /// What was read besides ``files``: the architecture, where it was named.
  var documents: [RandomAccessFile] = []

  /// The network with its graph.
  ///
  /// - Throws: `usage` if the source holds weights alone.
  public var model: Model {
    get throws(NetconvError) {
      guard case .model(let model) = network else {
        throw NetconvError.noGraph(takesOne: converted == nil).inFile(path)
      }
      return model
    }
  }
}

extension ReadSource {
  /// A model that a program has made: it has no files.
  ///
  /// - Parameters:
  ///   - maker: what made it, in the place of the format.
  ///   - path: what it is called, in the place of the path; by default as the maker.
  public init(made model: Model, by maker: String, called path: String? = nil) {
    self.init(
      format: maker, path: path ?? maker, framework: nil, files: [], network: .model(model),
      converted: nil)
  }
}

/// Bytes that a source states the checksum of, and that are too many to be read for it alone.
public struct UncheckedPart: Sendable {
  /// What the source calls them.
  public let name: String
  /// The file that holds them.
  public let file: RandomAccessFile
  /// Where.
  public let range: Range<Int>
  /// The checksum that they should have.
  public let checksum: Checksum

  /// What is stated of bytes.
  public enum Checksum: Sendable, Equatable {
    /// That of an archive's entry.
    case crc32(UInt32)
    /// That of a tensor or block of a TensorFlow checkpoint: a CRC-32C, as ``CRC32C/masked`` has it.
    case maskedCRC32C(UInt32)
  }
}

/// A path that was opened, and what can be seen of it before it is read.
struct SourceProbe: Sendable {
  /// As the user named it.
  let path: String
  /// The names in a folder; `nil` for a file.
  let names: [String]?
  /// The file; `nil` for a folder.
  let file: RandomAccessFile?
  /// The archive that the file is; `nil` if it is none, or a damaged one.
  let archive: ZipArchive?
  /// The first bytes of a file.
  let prefix: [UInt8]
  /// The last bytes of a file.
  let suffix: [UInt8]
  /// A folder's model.json; `nil` if there is none, or it may not be read.
  let documentFile: RandomAccessFile?
  /// Whether the file is one of HDF5, and no archive, which may hold one in the same place.
  let isHDF5: Bool
  /// What a file begins with.
  let opening: OpeningText
  /// What model.json begins with.
  let documentOpening: OpeningText
  /// The keys of the document that a file of text may be; none of any other file.
  private(set) var jsonKeys: Set<String> = []

  /// The keys of a folder's model.json.
  private(set) var documentKeys: Set<String> = []

  private static func keys(in file: RandomAccessFile) throws(NetconvError) -> Set<String> {
    let bytes = try ifSound { () throws(NetconvError) in
      try file.contents(limit: JSONDocument.sizeLimit)
    }
    return bytes.map { JSONKeys($0).keys } ?? []
  }

  /// The names in a ZIP archive; none if it is damaged.
  var entries: [String] { archive?.entries.map(\.name) ?? [] }

  private static let length = 4096

  init(_ path: String) throws(NetconvError) {
    self.path = path
    // A checkpoint goes by a name that no file needs to have.
    let index = path + CheckpointFiles.indexEnding
    let opened = FileState(path: path) == nil && FileState(path: index) != nil ? index : path
    if Directory.isDirectory(path) {
      let names = try Directory.names(in: path)
      let holdsDocument = names.contains(RawBlobsReader.documentName)
      self.names = names
      file = nil
      archive = nil
      isHDF5 = false
      prefix = []
      opening = OpeningText([])
      suffix = []
      documentFile =
        holdsDocument ? try? ContainedPath(RawBlobsReader.documentName, in: path).open() : nil
      // What a link leads to is not read, but tells which format it is of.
      let seen =
        holdsDocument && documentFile == nil
        ? try? RandomAccessFile(path: path + "/" + RawBlobsReader.documentName) : documentFile
      documentOpening = OpeningText(try seen?.prefix(Self.length) ?? [])
      documentKeys = try documentFile.map(Self.keys(in:)) ?? []
    } else {
      let file = try RandomAccessFile(path: opened)
      names = nil
      self.file = file
      prefix = try file.prefix(Self.length)
      opening = OpeningText(prefix)
      let count = min(8, file.size)
      suffix = try file.bytes(at: file.size - count, count: count)
      documentFile = nil
      documentOpening = OpeningText([])
      isHDF5 = ZipArchive.isZip(prefix) ? false : try HDF5File.isHDF5(file)
      archive =
        try ZipArchive.isZip(prefix)
        ? ifSound { () throws(NetconvError) in try ZipArchive(file) } : nil
      // Several readers ask for them, and the whole text has to be read.
      if text.hasPrefix("{") { jsonKeys = try Self.keys(in: file) }
    }
  }

  /// The file, which only readers of files ask for.
  ///
  /// - Throws: `cannotOpen` for a folder.
  func opened() throws(NetconvError) -> RandomAccessFile {
    if let file { return file }
    return try RandomAccessFile(path: path)
  }

  /// A folder's model.json.
  ///
  /// - Throws: `cannotOpen`, or `badData` if it is a link.
  func openedDocument() throws(NetconvError) -> RandomAccessFile {
    if let documentFile { return documentFile }
    return try ContainedPath(RawBlobsReader.documentName, in: path).open()
  }

  /// The archive that the file is.
  ///
  /// - Throws: `badData` if it is damaged.
  func openedArchive() throws(NetconvError) -> ZipArchive {
    if let archive { return archive }
    return try ZipArchive(opened())
  }
}

/// What `read` finds; `nil` if the bytes are not what they should be.
///
/// - Throws: that they cannot be read.
private func ifSound<Value>(
  _ read: () throws(NetconvError) -> Value
) throws(NetconvError) -> Value? {
  do throws(NetconvError) {
    return try read()
  } catch {
    guard error.kind == .badData else { throw error }
    return nil
  }
}

/// Reads one source format; one folder per format.
protocol ModelReader: Sendable {
  /// The name in manifests: `keras-h5`.
  static var format: String { get }
  /// What the format is, for messages.
  static var summary: String { get }

  /// Whether the path holds this format, judged by content.
  static func recognizes(_ probe: SourceProbe) -> Bool

  /// Whether the format can hold weights alone, for which the architecture is named.
  static var takesArchitecture: Bool { get }

  /// Whether the reader itself finds the weights of an architecture of Keras; else they are bound by names and shapes.
  static var bindsKerasArchitectures: Bool { get }

  /// Whether the format holds variables by names that are a program's, and can be given others.
  static var takesRenames: Bool { get }

  /// Whether a part of what the format holds can be asked for by the names of nodes.
  static var takesGraphEnds: Bool { get }

  /// Whether the format can hold several networks, of which one is asked for by its name.
  static var takesEntries: Bool { get }

  /// Whether layers can be replaced: whether the format can hold some that netconv does not know.
  static var takesReplacements: Bool { get }

  /// Reads the network of a path that was opened; its tensors stay in the file.
  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource
}

extension ModelReader {
  /// No: most formats hold the architecture.
  static var takesArchitecture: Bool { false }

  /// No: tensors have names, and a graph needs them.
  static var bindsKerasArchitectures: Bool { false }

  /// No: most formats hold layers.
  static var takesRenames: Bool { false }

  /// No: most formats hold a model and nothing else.
  static var takesGraphEnds: Bool { false }

  /// No: most formats hold one network.
  static var takesEntries: Bool { false }

  /// No: what netconv writes and describes itself, it knows.
  static var takesReplacements: Bool { false }
}

extension ReadSource {
  /// The same with the names for layers that somebody has chosen.
  ///
  /// - Throws: `usage` if there is no such layer, unless it may be the other source's; `badData` if two layers get the same
  ///   name.
  fileprivate func renaming(_ options: ReaderOptions) throws(NetconvError) -> ReadSource {
    let names = options.graph.layerNames
    guard !names.isEmpty else { return self }
    let (network, found) = try network.renaming(names)
    if !options.allowsOwnArchitecture,
      let missing = names.keys.sorted().first(where: { !found.contains($0) })
    {
      throw .noLayerToRename(missing, among: self.network.layerNames)
    }
    var source = self
    source.network = network
    source.renamed.formUnion(found)
    return source
  }
}

extension Network {
  /// The names of all layers.
  fileprivate var layerNames: [String] {
    switch self {
    case .model(let model): model.computedNames
    case .weights(let weights): weights.layers.map(\.name)
    }
  }
}

/// Every source format that netconv knows.
public enum ReaderRegistry {
  /// One line per folder of this module; the first that recognises a path reads it.
  static let all: [any ModelReader.Type] = [
    KerasH5Reader.self,
    KerasArchiveReader.self,
    TorchReader.self,
    NumpyReader.self,
    ConvertedFolderReader.self,
    ConvertedArchiveReader.self,
    TFJSReader.self,
    RawBlobsReader.self,
    TensorFlowCheckpointReader.self,
    ONNXReader.self,
    TensorFlowGraphReader.self,
    TensorFlowMetaGraphReader.self,
    TensorFlowSavedModelReader.self,
    SafetensorsReader.self,
    KerasShardsReader.self,
    ShardIndexReader.self,
    PickleReader.self,
    RTNeuralReader.self,
    NeuralAmpModelerReader.self,
  ]

  /// Reads whatever is at `path`, judged by its content.
  ///
  /// - Throws: `cannotOpen` if it cannot be opened, `badData` if it is no known format or is damaged,
  ///   `usage` if an architecture is named for a source that holds its own.
  public static func read(
    _ path: String, _ options: ReaderOptions = ReaderOptions()
  ) throws(NetconvError) -> ReadSource {
    var probe = try SourceProbe(path)
    let graph = try probe.graphBesideCheckpoint(options)
    probe = graph ?? probe
    if let format = ForeignFormat.of(probe) { throw NetconvError.foreign(format).inFile(path) }
    guard let reader = all.first(where: { $0.recognizes(probe) }) else {
      throw .unknownFormat(probe, known: all.map { $0.summary }).inFile(path)
    }
    do throws(NetconvError) {
      guard
        options.architecture == nil || reader.takesArchitecture || options.allowsOwnArchitecture
      else {
        throw .ownArchitecture
      }
      let renames = options.renames
      guard renames.names.isEmpty || !renames.isStrict || reader.takesRenames else {
        throw .nothingToRename
      }
      guard !options.graph.namesNodes || options.allowsOwnArchitecture || reader.takesGraphEnds
      else {
        throw .noGraphEnds
      }
      guard options.graph.entry == nil || options.allowsOwnArchitecture || reader.takesEntries
      else {
        throw .noEntries
      }
      let replacements = options.replacements
      guard replacements.isEmpty || !replacements.isStrict || reader.takesReplacements else {
        throw .nothingToReplace
      }
      var source = try read(probe, by: reader, options).renaming(options)
      if let graph { source.notes.insert(.graphBesideCheckpoint(graph.path), at: 0) }
      source.takesGraphEnds = reader.takesGraphEnds
      source.takesEntries = reader.takesEntries
      return source
    } catch {
      throw error.inFile(path)
    }
  }

  /// Whether an architecture is not the reader's own affair.
  private static func isBoundByName(
    _ architecture: Architecture, _ reader: any ModelReader.Type
  ) -> Bool {
    if !reader.bindsKerasArchitectures || architecture.saysHow { return true }
    return !GraphDescription.isOfKeras(architecture.path)
  }

  /// Reads a source, and binds its weights to an architecture that the reader itself cannot use.
  private static func read(
    _ probe: SourceProbe, by reader: any ModelReader.Type, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    guard let architecture = options.architecture, reader.takesArchitecture,
      isBoundByName(architecture, reader)
    else { return try reader.read(probe, options) }
    var ownOptions = options
    ownOptions.architecture = nil
    ownOptions.acceptsWeights = true
    let source = try reader.read(probe, ownOptions)
    if case .model = source.network {
      guard options.allowsOwnArchitecture else { throw .ownArchitecture }
      return source
    }
    return try source.bound(to: architecture, options)
  }
}
