import Documents
import Files
import ModelIR

/// A place that takes the bytes of one tensor.
package struct Placement: Sendable {
  /// The file.
  let file: OutputFile
  /// Where the tensor begins in it.
  let offset: Int

  /// A place in `file`.
  package init(file: OutputFile, offset: Int) {
    self.file = file
    self.offset = offset
  }

  /// Writes `bytes`, `offset` bytes into the tensor.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(NetconvError) {
    try file.write(bytes, at: self.offset + offset)
  }

  /// Reads back what was written `offset` bytes into the tensor.
  func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(NetconvError) {
    try file.read(at: self.offset + offset, into: bytes)
  }
}

/// The digests of a tensor as it was written.
package struct TensorDigest: Sendable, Equatable {
  /// SHA-256, in hexadecimal.
  package let sha256: String
  /// CRC-32, as ZIP needs it.
  package let checksum: UInt32
}

/// What a container is going to hold, known before any value is.
protocol ContainerLayout: Sendable {
  /// Where each tensor will be, in their order; none if nobody reads it there.
  var places: [TensorRecord.Place] { get }

  /// Creates the container's files in `folder`.
  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter
}

/// How a container lays tensors into files.
protocol ContainerWriter: Sendable {
  /// Where tensor number `index` goes.
  func placement(of index: Int) throws(NetconvError) -> Placement

  /// Writes what has to be known last.
  ///
  /// - Parameters:
  ///   - digests: one per tensor.
  ///   - companions: what goes beside the tensors.
  ///   - manifest: the bytes of the manifest.
  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError)
}

/// A container that this module writes: one folder each.
protocol WritableContainer: ContainerSupport {
  /// What the container will hold of `contents`.
  ///
  /// - Throws: `usage` if it cannot hold an element type, `badData` if a size overflows.
  static func layout(of contents: ContainerContents) throws(NetconvError) -> any ContainerLayout

  /// Which files the container may take the place of when it stands alone.
  static var replaceable: ReplaceableFile { get }
}

extension WritableContainer {
  /// None: most containers cannot stand alone.
  static var replaceable: ReplaceableFile { ReplaceableFile("a file") { _ in false } }
}

/// What every container of an output holds.
struct ContainerContents {
  /// Arranged for its target.
  let network: Network
  /// Its tensors.
  let entries: [OutputPlan.Entry]
  /// Where tensors begin in containers that align them, in bytes.
  let alignment: Int
  /// Texts for containers that hold some.
  let metadata: [String: String]
  /// How a graph is written.
  let graph: GraphOptions
}

/// How containers hold a graph that are another framework's.
public struct GraphOptions: Sendable {
  /// Whether data lies at the ends with its channels first, where the framework wants it so.
  public var channelsFirst: Bool
  /// Whether the container is one file, with none beside it.
  public var isAlone: Bool

  /// The options; by default data lies as in the model.
  public init(channelsFirst: Bool = false, isAlone: Bool = false) {
    self.channelsFirst = channelsFirst
    self.isAlone = isAlone
  }
}

extension OutputFormat {
  /// What writes the container.
  var writable: any WritableContainer.Type {
    guard let writable = support as? any WritableContainer.Type else {
      preconditionFailure("nothing writes \(rawValue)")
    }
    return writable
  }
}
