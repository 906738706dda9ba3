import Foundation

/// An empty folder for one test.
///
/// All folders are in a common one that is removed when the tests end. A `deinit` could remove a
/// folder while the last call with its path is still running.
public struct TemporaryFolder: Sendable {
  /// The path of the folder.
  public let path: String

  private static let root: String = {
    let root = FileManager.default.temporaryDirectory
      .appending(path: "netconv-tests-\(ProcessInfo.processInfo.processIdentifier)")
      .path(percentEncoded: false)
    atexit { try? FileManager.default.removeItem(atPath: TemporaryFolder.root) }
    return root
  }()

  /// Creates an empty folder.
  public init() throws {
    path = "\(Self.root)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The path of `name` in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes `bytes` to `name`, and creates intermediate folders.
  @discardableResult
  public func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
    let url = URL(filePath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return file(name)
  }

  /// Writes `text` to `name`.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Copies a file or folder into the folder.
  @discardableResult
  public func copy(_ source: String, to name: String) throws -> String {
    try FileManager.default.copyItem(atPath: source, toPath: file(name))
    return file(name)
  }

  /// The bytes of `name`.
  public func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: file(name))))
  }

  /// All files in the folder, as sorted relative paths.
  public func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file(name), isDirectory: &isDirectory)
      return !isDirectory.boolValue
    }.sorted()
  }
}
