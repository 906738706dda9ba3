import Documents
import Files
import HDF5
import ModelIR
import Zlib

/// The options for reading a source.
public struct ReaderOptions: Sendable {
  /// The architecture, for sources that contain only weights.
  public var architecture: Architecture?
  /// True to read only the weights if the graph cannot be read.
  public var acceptsWeights: Bool
  /// The operators that replace unsupported layers.
  public var replacements: LayerReplacements
  /// New names for the variables of a checkpoint or a graph.
  public var renames: VariableRenames
  /// True to ignore options that the source's format does not accept, as for one of two sources.
  ///
  /// A source with its own architecture is then read with that, despite a named architecture.
  public var allowsOwnArchitecture = false
  /// The part of the source that is the model.
  public var graph: GraphSelection
  /// True to accept a source in which nothing or not everything can be read, in order to list its contents.
  public var acceptsNothing = false

  /// Creates options; by default for a readable graph with its own architecture, layers and names.
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

/// A path that has been opened, with the properties by which its format is recognised.
struct SourceProbe: Sendable {
  /// The path that the user gave.
  let path: String
  /// The names of a folder's contents; `nil` for a file.
  let names: [String]?
  /// The file; `nil` for a folder.
  let file: RandomAccessFile?
  /// The file as an archive; `nil` if it is not a valid archive.
  let archive: ZipArchive?
  /// The first bytes of a file.
  let prefix: [UInt8]
  /// The last bytes of a file.
  let suffix: [UInt8]
  /// The model.json of a folder; `nil` if it is missing, unreadable or a symbolic link.
  let documentFile: RandomAccessFile?
  /// True if the file is HDF5 and not an archive, whose entry may have the HDF5 signature.
  let isHDF5: Bool
  /// The first bytes of the file as text.
  let opening: OpeningText
  /// The first bytes of model.json as text.
  let documentOpening: OpeningText
  /// The keys of a JSON file; empty for other files.
  private(set) var jsonKeys: Set<String> = []

  /// The keys of a folder's model.json.
  private(set) var documentKeys: Set<String> = []

  private static func keys(in file: RandomAccessFile) throws(NetconvError) -> Set<String> {
    let bytes = try ifSound { () throws(NetconvError) in
      try file.contents(limit: JSONDocument.sizeLimit)
    }
    return bytes.map { JSONKeys($0).keys } ?? []
  }

  /// The names in a ZIP archive; empty if it is damaged.
  var entries: [String] { archive?.entries.map(\.name) ?? [] }

  private static let length = 4096

  init(_ path: String) throws(NetconvError) {
    self.path = path
    // The path of a checkpoint is a prefix, which need not exist as a file.
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
      // A symbolic link is not read as a model, but its target determines the format.
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
      // Parsed once for several readers, because it requires reading the whole file.
      if text.hasPrefix("{") { jsonKeys = try Self.keys(in: file) }
    }
  }

  /// Returns the file; called by the readers of files only.
  ///
  /// - Throws: `cannotOpen` for a folder.
  func opened() throws(NetconvError) -> RandomAccessFile {
    if let file { return file }
    return try RandomAccessFile(path: path)
  }

  /// Returns the model.json of a folder.
  ///
  /// - Throws: `cannotOpen`; `badData` if it is a symbolic link.
  func openedDocument() throws(NetconvError) -> RandomAccessFile {
    if let documentFile { return documentFile }
    return try ContainedPath(RawBlobsReader.documentName, in: path).open()
  }

  /// Returns the file as an archive.
  ///
  /// - Throws: `badData` if the archive is damaged.
  func openedArchive() throws(NetconvError) -> ZipArchive {
    if let archive { return archive }
    return try ZipArchive(opened())
  }
}

/// Returns the result of `read`, or `nil` if the bytes are invalid.
///
/// - Throws: Any error other than `badData`.
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

/// A reader of one source format; each has a folder of its own.
protocol ModelReader: Sendable {
  /// The name of the format in manifests: `keras-h5`.
  static var format: String { get }
  /// A description of the format for messages.
  static var summary: String { get }

  /// Returns true if the path has this format, judged by its contents.
  static func recognizes(_ probe: SourceProbe) -> Bool

  /// True if the format can contain only weights, for which the user names an architecture.
  static var takesArchitecture: Bool { get }

  /// True if the reader itself assigns weights to a Keras architecture; otherwise they are bound by names and shapes.
  static var bindsKerasArchitectures: Bool { get }

  /// True if the format contains variables with arbitrary names, which can be renamed.
  static var takesRenames: Bool { get }

  /// True if the user can select a part of the graph by node names.
  static var takesGraphEnds: Bool { get }

  /// True if the format can contain several networks, of which one is selected by name.
  static var takesEntries: Bool { get }

  /// True if the format can hold weights as codes and scales, which can be requested as such.
  static var takesCodes: Bool { get }

  /// True if the format can contain unsupported layers, which can be replaced.
  static var takesReplacements: Bool { get }

  /// Reads the network of an open path; its tensors stay in the file.
  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource
}

extension ModelReader {
  /// False, since most formats contain the architecture.
  static var takesArchitecture: Bool { false }

  /// False: tensors are bound to graphs by name.
  static var bindsKerasArchitectures: Bool { false }

  /// False, since most formats contain layers.
  static var takesRenames: Bool { false }

  /// False, since most formats contain only a model.
  static var takesGraphEnds: Bool { false }

  /// False, since most formats contain a single network.
  static var takesEntries: Bool { false }

  /// False, since most formats hold the values themselves.
  static var takesCodes: Bool { false }

  /// False, since netconv supports all layers that it writes and describes itself.
  static var takesReplacements: Bool { false }
}

/// All source formats that netconv supports.
public enum ReaderRegistry {
  /// One line per folder of this module; the first reader that recognises a path is used.
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
    TFLiteReader.self,
    CoreMLReader.self,
    TensorFlowGraphReader.self,
    TensorFlowMetaGraphReader.self,
    TensorFlowSavedModelReader.self,
    AdapterReader.self,
    SafetensorsReader.self,
    GGUFReader.self,
    KerasShardsReader.self,
    ShardIndexReader.self,
    PickleReader.self,
    RTNeuralReader.self,
    NeuralAmpModelerReader.self,
  ]

  /// Reads the source at `path`, whose format is determined by its contents.
  ///
  /// - Throws: `cannotOpen`; `badData` if the format is unknown or the source is damaged; `usage` if an architecture
  ///   is named for a source with its own.
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
      guard !options.graph.readsCodes || options.allowsOwnArchitecture || reader.takesCodes else {
        throw .noCodes
      }
      let replacements = options.replacements
      guard replacements.isEmpty || !replacements.isStrict || reader.takesReplacements else {
        throw .nothingToReplace
      }
      var source = try read(probe, by: reader, options).renaming(options)
      if let graph { source.notes.insert(.graphBesideCheckpoint(graph.path), at: 0) }
      source.takesGraphEnds = reader.takesGraphEnds
      source.takesEntries = reader.takesEntries
      guard !options.graph.readsCodes || options.allowsOwnArchitecture || source.holdsCodes else {
        throw .noCodes
      }
      return source
    } catch {
      throw error.inFile(path)
    }
  }

  /// Returns true if the weights are bound to the architecture by name rather than by the reader.
  private static func isBoundByName(
    _ architecture: Architecture, _ reader: any ModelReader.Type
  ) -> Bool {
    if !reader.bindsKerasArchitectures || architecture.saysHow { return true }
    return !GraphDescription.isOfKeras(architecture.path)
  }

  /// Reads a source, and binds its weights to an architecture that the reader itself does not support.
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
