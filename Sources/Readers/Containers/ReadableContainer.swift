import Documents
import Files
import ModelIR

/// A container that this module reads; each has a file of its own.
protocol ReadableContainer: ContainerSupport {
  /// Opens the container in a converted folder.
  ///
  /// - Throws: `cannotOpen`, or `badData` if it is damaged.
  static func open(in folder: String) throws(NetconvError) -> any OpenContainer
}

/// A container that is a single file.
protocol ReadableContainerFile: ReadableContainer {
  /// Returns true if a file with this prefix may be such a container.
  static func recognizes(_ prefix: [UInt8]) -> Bool

  /// Opens a file as this container.
  ///
  /// - Throws: `badData` if it is damaged.
  static func open(_ file: RandomAccessFile) throws(NetconvError) -> any OpenContainer

  /// Opens a source as this container.
  ///
  /// - Throws: `badData` if it is damaged.
  static func open(_ probe: SourceProbe) throws(NetconvError) -> any OpenContainer
}

extension ReadableContainerFile {
  /// Opens the file of the probe.
  static func open(_ probe: SourceProbe) throws(NetconvError) -> any OpenContainer {
    try open(probe.opened())
  }

  /// Opens the container file of a converted folder.
  static func open(in folder: String) throws(NetconvError) -> any OpenContainer {
    try open(ContainedPath(format.fileName ?? "", in: folder).open())
  }
}

/// An open container.
protocol OpenContainer: Sendable {
  /// Locates the tensors of a manifest.
  ///
  /// - Throws: `cannotOpen`; `badData` if a tensor is missing or differs from the manifest.
  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy]

  /// Returns the bytes of the embedded manifest; `nil` if the container has none.
  ///
  /// - Throws: `badData` if a required manifest is missing.
  func manifest() throws(NetconvError) -> [UInt8]?

  /// Returns the bytes of a companion file; `nil` if there is no such file.
  ///
  /// - Parameter limit: The maximum number of bytes.
  func companion(_ name: String, limit: Int) throws(NetconvError) -> [UInt8]?
}

extension OpenContainer {
  /// Most containers have no manifest.
  func manifest() throws(NetconvError) -> [UInt8]? { nil }

  /// Most containers have no companion files.
  func companion(_ name: String, limit: Int) throws(NetconvError) -> [UInt8]? { nil }
}

extension OutputFormat {
  /// The reader of the container.
  var reading: any ReadableContainer.Type {
    guard let reading = support as? any ReadableContainer.Type else {
      preconditionFailure("nothing reads \(rawValue)")
    }
    return reading
  }
}
