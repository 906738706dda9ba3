import Documents
import Files
import ModelIR

/// The location of a tensor in a file being written.
package struct Placement: Sendable {
  /// The file.
  let file: OutputFile
  /// The offset of the tensor.
  let offset: Int

  /// Creates a location in `file`.
  package init(file: OutputFile, offset: Int) {
    self.file = file
    self.offset = offset
  }

  /// Writes `bytes` at an offset from the start of the tensor.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(NetconvError) {
    try file.write(bytes, at: self.offset + offset)
  }

  /// Reads bytes back from an offset from the start of the tensor.
  func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(NetconvError) {
    try file.read(at: self.offset + offset, into: bytes)
  }
}

/// The checksums of a tensor as it was written.
package struct TensorDigest: Sendable, Equatable {
  /// The SHA-256 as hexadecimal digits.
  package let sha256: String
  /// The CRC-32, for ZIP.
  package let checksum: UInt32
}

/// The layout of a container, known before any value is.
protocol ContainerLayout: Sendable {
  /// The locations of the tensors, in order; empty if netconv does not read the container back.
  var places: [TensorRecord.Place] { get }

  /// Creates the container's files in `folder`.
  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter
}

/// A writer that places tensors into the files of a container.
protocol ContainerWriter: Sendable {
  /// Returns the location of the tensor at `index`.
  func placement(of index: Int) throws(NetconvError) -> Placement

  /// Writes the parts that depend on everything else.
  ///
  /// - Parameters:
  ///   - digests: the checksums, one per tensor.
  ///   - companions: the additional files.
  ///   - manifest: the bytes of the manifest.
  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError)
}

/// A container that this module writes; each has its own folder.
protocol WritableContainer: ContainerSupport {
  /// Returns the layout of the container for `contents`.
  ///
  /// - Throws: `usage` if the container does not support an element type, `badData` if a size overflows.
  static func layout(of contents: ContainerContents) throws(NetconvError) -> any ContainerLayout

  /// The files that the container may replace when it stands alone.
  static var replaceable: ReplaceableFile { get }
}

extension WritableContainer {
  /// None: most containers cannot stand alone.
  static var replaceable: ReplaceableFile { ReplaceableFile("a file") { _ in false } }
}

/// The contents common to all containers of an output.
struct ContainerContents {
  /// The network, arranged for its target.
  let network: Network
  /// The entries of its tensors.
  let entries: [OutputPlan.Entry]
  /// The alignment of tensors in bytes, for containers that align them.
  let alignment: Int
  /// The metadata for containers that store it.
  let metadata: [String: String]
  /// The maximum size of a shard in bytes, for containers of several files.
  let shardSize: Int
  /// The options for graphs.
  let graph: GraphOptions
}

/// Options for containers in the graph format of another framework.
public struct GraphOptions: Sendable {
  /// True if inputs and outputs are channels first, where that is the framework's convention.
  public var channelsFirst: Bool
  /// True if the container must be a single file.
  public var isAlone: Bool

  /// The operator set of an ONNX graph; `nil` for the oldest that is written.
  public var opset: Int?

  /// Creates options; by default data has the model's axis order.
  public init(channelsFirst: Bool = false, isAlone: Bool = false, opset: Int? = nil) {
    self.channelsFirst = channelsFirst
    self.isAlone = isAlone
    self.opset = opset
  }
}

extension OutputFormat {
  /// The writer of the container.
  var writable: any WritableContainer.Type {
    guard let writable = support as? any WritableContainer.Type else {
      preconditionFailure("nothing writes \(rawValue)")
    }
    return writable
  }
}
