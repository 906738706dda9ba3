import Files
import ModelIR
import Zlib

/// What a reader needs to know besides the path.
public struct ReaderOptions: Sendable {
  /// A file that holds the architecture, for sources that hold only weights.
  public var architecture: String?
  /// Whether weights will do where the graph cannot be read.
  public var acceptsWeights: Bool

  /// By default, no architecture besides the source's own, and a graph that can be read.
  public init(architecture: String? = nil, acceptsWeights: Bool = false) {
    self.architecture = architecture
    self.acceptsWeights = acceptsWeights
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
  public let network: Network
  /// Why the graph could not be read, where weights had to do.
  public var problem: NetconvError?
  /// What a conversion wrote, if this is its output.
  public let converted: ConvertedSource?
  /// What was read otherwise than it is stored, or is to be read otherwise than it is written.
  public var notes: [SourceNote] = []
  /// Parts of ``files`` with a checksum that reading the model did not look at.
  public var unchecked: [UncheckedPart] = []
  /// What was read besides ``files``: the architecture, where it was named.
  var documents: [RandomAccessFile] = []

  /// The network with its graph.
  ///
  /// - Throws: `usage` if the source holds weights alone.
  public var model: Model {
    get throws(NetconvError) {
      guard case .model(let model) = network else { throw NetconvError.noGraph.inFile(path) }
      return model
    }
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
  /// The CRC-32 that they should have.
  public let checksum: UInt32
}

/// What can be seen of a path before it is read.
struct SourceProbe: Sendable {
  /// As the user named it.
  let path: String
  /// The names in a folder; `nil` for a file.
  let names: [String]?
  /// The first bytes of a file.
  let prefix: [UInt8]
  /// The names in a ZIP archive; none if it is damaged.
  let entries: [String]

  init(_ path: String) throws(NetconvError) {
    self.path = path
    if Directory.isDirectory(path) {
      names = try Directory.names(in: path)
      prefix = []
      entries = []
    } else {
      let file = try RandomAccessFile(path: path)
      names = nil
      prefix = try file.prefix(4096)
      entries = ZipArchive.isZip(prefix) ? (try? ZipArchive(file))?.entries.map(\.name) ?? [] : []
    }
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

  /// Reads the network; its tensors stay in the file.
  static func read(_ path: String, _ options: ReaderOptions) throws(NetconvError) -> ReadSource
}

extension ModelReader {
  /// No: most formats hold the architecture.
  static var takesArchitecture: Bool { false }
}

/// Every source format that netconv knows.
public enum ReaderRegistry {
  /// One line per folder of this module; the first that recognises a path reads it.
  static let all: [any ModelReader.Type] = [
    KerasH5Reader.self,
    KerasArchiveReader.self,
    ConvertedFolderReader.self,
    ConvertedArchiveReader.self,
    RawBlobsReader.self,
    SafetensorsReader.self,
  ]

  /// Reads whatever is at `path`, judged by its content.
  ///
  /// - Throws: `cannotOpen` if it cannot be opened, `badData` if it is no known format or is damaged,
  ///   `usage` if an architecture is named for a source that holds its own.
  public static func read(
    _ path: String, _ options: ReaderOptions = ReaderOptions()
  ) throws(NetconvError) -> ReadSource {
    let probe = try SourceProbe(path)
    guard let reader = all.first(where: { $0.recognizes(probe) }) else {
      throw .unknownFormat(probe, known: all.map { $0.summary }).inFile(path)
    }
    do throws(NetconvError) {
      guard options.architecture == nil || reader.takesArchitecture else {
        throw .ownArchitecture
      }
      return try reader.read(path, options)
    } catch {
      throw error.inFile(path)
    }
  }
}
