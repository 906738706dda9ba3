import Documents
import Files
import HDF5
import ModelIR
import Zlib

/// A source that has been read, with its provenance.
public struct ReadSource: Sendable {
  /// The name of the reader: `keras-h5`.
  public let format: String
  /// The path that the user gave.
  public let path: String
  /// The framework that wrote the source, if stated.
  public let framework: String?
  /// The files of the source, in the order of their use.
  public let files: [RandomAccessFile]
  /// The contents of the source; its tensors refer to ``files``.
  public internal(set) var network: Network
  /// The reason why the graph could not be read, if only weights were read.
  public var problem: NetconvError?
  /// Errors that were ignored because only weights were required.
  public var misfits: [NetconvError] = []
  /// The layers that were replaced by an operator.
  public var replaced: [ReplacementRecord] = []
  /// The manifest and tensors of the conversion, if the source is an output of netconv.
  public let converted: ConvertedSource?
  /// Remarks about values that are read or written differently from their stored form.
  public var notes: [SourceNote] = []
  /// The variables that were renamed.
  public var renamed: Set<String> = []
  /// True if the graph is that of the named architecture.
  public var usesNamedArchitecture = false
  /// The number of arrays that were left out because they are not weights, such as optimizer state, counters and
  /// metrics.
  public var leftOutCount = 0
  /// True if the format lets the user select a part of the graph by node names.
  var takesGraphEnds = false
  /// True if the format can contain several networks, of which one is selected by name.
  var takesEntries = false
  /// True if the source holds weights that are codes and scales.
  var holdsCodes = false
  /// The parts of ``files`` whose checksums have not been verified while reading the model.
  public var unchecked: [UncheckedPart] = []
  /// Test samples in the source, or the reason why they are unusable; `nil` if there are none.
  public var testVectors: Result<TestVectors, NetconvError>?
  /// The calls that Python would execute while loading the file; `nil` if it has no pickles.
  public var pickles: PickleScan?
  /// The metadata of the file, in its order.
  public var facts: [SourceFact] = []
  /// The files read besides ``files``: the named architecture.
  var documents: [RandomAccessFile] = []

  /// The network with its graph.
  ///
  /// - Throws: `usage` if the source contains only weights.
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
  /// Creates a source for a model that a program has built, without files.
  ///
  /// - Parameters:
  ///   - maker: The name of the program, used as the format.
  ///   - path: The name of the model, used as the path; by default that of the program.
  public init(made model: Model, by maker: String, called path: String? = nil) {
    self.init(
      format: maker, path: path ?? maker, framework: nil, files: [], network: .model(model),
      converted: nil)
  }
}

/// Bytes with a stated checksum that is only verified on request, because the bytes are many.
public struct UncheckedPart: Sendable {
  /// The name in the source.
  public let name: String
  /// The file that contains the bytes.
  public let file: RandomAccessFile
  /// The byte range in `file`.
  public let range: Range<Int>
  /// The expected checksum.
  public let checksum: Checksum

  /// The stated checksum of a range of bytes.
  public enum Checksum: Sendable, Equatable {
    /// The CRC-32 of an archive's entry.
    case crc32(UInt32)
    /// The CRC-32C of a tensor or block in a TensorFlow checkpoint, masked as in ``CRC32C/masked``.
    case maskedCRC32C(UInt32)
  }
}
