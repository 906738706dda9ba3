import Documents
import Files
import ModelIR

/// A container that this module reads: one file each.
protocol ReadableContainer: ContainerSupport {
  /// Opens the container that lies in a converted folder.
  ///
  /// - Throws: `cannotOpen`, or `badData` if it is damaged.
  static func open(in folder: String) throws(NetconvError) -> any OpenContainer
}

/// A container that is one file.
protocol ReadableContainerFile: ReadableContainer {
  /// Whether a file that begins so can be one.
  static func recognizes(_ prefix: [UInt8]) -> Bool

  /// Opens the container that `file` is.
  ///
  /// - Throws: `badData` if it is damaged.
  static func open(_ file: RandomAccessFile) throws(NetconvError) -> any OpenContainer

  /// Opens the container that a source is.
  ///
  /// - Throws: `badData` if it is damaged.
  static func open(_ probe: SourceProbe) throws(NetconvError) -> any OpenContainer
}

extension ReadableContainerFile {
  /// Opens the file that was opened to recognise it.
  static func open(_ probe: SourceProbe) throws(NetconvError) -> any OpenContainer {
    try open(probe.opened())
  }

  /// Opens the file that a converted folder has of it.
  static func open(in folder: String) throws(NetconvError) -> any OpenContainer {
    try open(ContainedPath(format.fileName ?? "", in: folder).open())
  }
}

/// A container that was opened.
protocol OpenContainer: Sendable {
  /// Where the tensors of a manifest are.
  ///
  /// - Throws: `cannotOpen`, or `badData` if one is missing, or another than the manifest says.
  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy]

  /// The bytes of the manifest, if the container holds it.
  ///
  /// - Throws: `badData` if it should, and does not.
  func manifest() throws(NetconvError) -> [UInt8]?

  /// The bytes of a file beside the tensors; `nil` if there is no such file.
  ///
  /// - Parameter limit: the most bytes that make sense.
  func companion(_ name: String, limit: Int) throws(NetconvError) -> [UInt8]?
}

extension OpenContainer {
  /// Most containers hold tensors alone.
  func manifest() throws(NetconvError) -> [UInt8]? { nil }

  /// Most containers hold tensors alone.
  func companion(_ name: String, limit: Int) throws(NetconvError) -> [UInt8]? { nil }
}

extension OutputFormat {
  /// What reads the container.
  var reading: any ReadableContainer.Type {
    guard let reading = support as? any ReadableContainer.Type else {
      preconditionFailure("nothing reads \(rawValue)")
    }
    return reading
  }
}
