import Documents
import Files
import ModelIR

/// The destination of an output, validated before any work is done.
public struct Destination: Sendable {
  /// The path as given by the user, without trailing slashes.
  public let path: String
  /// The container that is the whole output; `nil` for a folder, or for another type of file.
  public let container: OutputFormat?
  /// True if the output is a single file; false for a folder.
  var isFile: Bool { if case .file = kind { true } else { false } }
  /// True if an existing file or folder will be replaced.
  let isReplacing: Bool
  private let kind: Kind
  private let force: Bool

  /// The type of output.
  private enum Kind {
    /// A folder, with the files that may be replaced if it is not the output of a conversion; `nil` if it is.
    case folder(Set<String>?)
    /// A file that may replace another.
    case file(ReplaceableFile)
    /// A folder with these files, of which the first one tells whether it may be replaced.
    case package([String], ReplaceableFile)

    /// The output of a container that stands alone.
    init(_ container: OutputFormat) {
      let replaceable = container.writable.replaceable
      self =
        container.parts.isEmpty ? .file(replaceable) : .package(container.parts, replaceable)
    }
  }

  /// Checks that `path` does not exist, or may be replaced.
  ///
  /// - Parameters:
  ///   - path: the path of a single container if it has such an extension, otherwise of a folder.
  ///   - force: true if earlier output of netconv may be replaced.
  /// - Throws: `cannotCreate`, naming the first file that is not netconv's.
  public init(_ path: String, force: Bool) throws(NetconvError) {
    let container = Self.container(of: path)
    try self.init(
      path, container, container.map { Kind($0) } ?? .folder(nil),
      force: force)
  }

  /// Checks that `path` does not exist, or is a folder that contains only `files`.
  ///
  /// - Parameters:
  ///   - files: paths relative to the folder; those that end with `/` are folders whose whole contents may be replaced.
  ///   - force: true if such files may be replaced.
  /// - Throws: `cannotCreate`, naming the first file that is not in `files`.
  public init(
    folder path: String, of files: Set<String>, force: Bool
  ) throws(NetconvError) {
    try self.init(path, nil, .folder(files), force: force)
  }

  /// Checks that `path` does not exist, or is a file that may be replaced, and that its parent folder exists.
  ///
  /// - Parameters:
  ///   - replaceable: the files that may be replaced.
  ///   - force: true if such a file may be replaced.
  /// - Throws: `cannotCreate`.
  public init(
    file path: String, replacing replaceable: ReplaceableFile, force: Bool
  ) throws(NetconvError) {
    try self.init(path, nil, .file(replaceable), force: force)
    let parent = Directory.parent(of: path)
    guard Directory.isDirectory(parent) else { throw .noParent(parent) }
  }

  private init(
    _ path: String, _ container: OutputFormat?, _ kind: Kind, force: Bool
  ) throws(NetconvError) {
    self.path = Directory.withoutTrailingSlashes(path).plain
    self.container = container
    self.kind = kind
    self.force = force
    let name = Directory.lastComponent(of: self.path)
    do throws(NetconvError) {
      // The system cannot exchange a folder under such a name.
      guard ![".", ".."].contains(name) else { throw NetconvError.notAName }
      isReplacing = try Self.check(self.path, called: name, kind, force: force)
    } catch {
      throw error.inFile(self.path)
    }
  }

  /// Checks again that the old contents of the destination, now at `moved`, may be removed.
  ///
  /// Another process may have created a file there between ``init(_:force:)`` and the exchange.
  /// - Throws: `cannotCreate`, naming the first file that is not netconv's.
  func checkReplaced(_ moved: String) throws(NetconvError) {
    do throws(NetconvError) {
      if !force, try Directory.kind(of: moved) == .directory,
        let file = try Directory.files(below: moved).first
      {
        throw NetconvError.appeared(file)
      }
      _ = try Self.check(moved, called: Directory.lastComponent(of: path), kind, force: true)
    } catch {
      throw error.replacingStagingPath(with: path).inFile(path)
    }
  }

  /// Returns true if `moved` contains only files that netconv wrote.
  func isOurs(_ moved: String) -> Bool {
    let name = Directory.lastComponent(of: path)
    return (try? Self.check(moved, called: name, kind, force: true)) ?? false
  }

  private static func check(
    _ path: String, called name: String, _ kind: Kind, force: Bool
  ) throws(NetconvError) -> Bool {
    switch (try Directory.kind(of: path), kind) {
    case (nil, _): return false
    case (.directory, .folder(let ours)):
      if try Directory.names(in: path).isEmpty { return true }
      guard force else { throw .exists("a folder that is not empty") }
      if let ours {
        try check(path, holdsOnly: ours, andAllIn: ours.filter { $0.hasSuffix("/") })
      } else {
        try checkIsOurs(folder: path)
      }
    case (.directory, .package(let files, let replaceable)):
      if try Directory.names(in: path).isEmpty { return true }
      guard force else { throw .exists("a folder that is not empty") }
      try check(path, holdsOnly: Set(files))
      guard try replaceable.isOurs(path + "/" + files[0]) else { throw replaceable.refusal(name) }
    case (.file, .file(let replaceable)):
      guard force else { throw .exists("a file") }
      guard try replaceable.isOurs(path) else { throw replaceable.refusal(name) }
    case (.directory, .file(let replaceable)):
      throw .wrongKind("a folder", expected: replaceable.kind)
    case (.file, .folder), (.file, .package): throw .wrongKind("a file", expected: "a folder")
    case (.symbolicLink, _):
      throw .wrongKind("a symbolic link", expected: "a path of its own")
    case (.other, _): throw .wrongKind("neither a file nor a folder", expected: "a free path")
    }
    return true
  }

  private static func checkIsOurs(folder: String) throws(NetconvError) {
    let manifest: Manifest
    do throws(NetconvError) {
      let file = try RandomAccessFile(Manifest.fileName, in: folder)
      manifest = try Manifest.decode(file.contents(limit: JSONDocument.sizeLimit))
    } catch {
      // A folder without a valid manifest is not netconv's; one whose manifest cannot be read may be.
      let isThere = try Directory.kind(of: folder + "/" + Manifest.fileName) == .file
      guard isThere, error.isOfReading else {
        throw .foreignFile(try Directory.files(below: folder).first ?? folder)
      }
      throw error
    }
    // The folder of the weights is empty if the model has none.
    var ours: Set = [Manifest.fileName]
    for tensor in manifest.tensors { ours.formUnion(tensor.places.values.map(\.file)) }
    for format in OutputFormat.allCases { ours.formUnion(format.files + format.partNames) }
    if let goldens = manifest.goldens { ours.formUnion([goldens.file] + goldens.values) }
    try check(folder, holdsOnly: ours)
  }

  private static func check(
    _ folder: String, holdsOnly ours: Set<String>, andAllIn folders: Set<String> = []
  ) throws(NetconvError) {
    for file in try Directory.files(below: folder) {
      if folders.contains(where: file.hasPrefix) { continue }
      // A link or a pipe with that name was created by someone else.
      let kind = try Directory.kind(of: folder + "/" + file)
      guard ours.contains(file), kind == .file || file.hasSuffix("/") else {
        throw .foreignFile(file)
      }
    }
  }
}

extension NetconvError {
  fileprivate static var notAName: NetconvError {
    NetconvError(.cannotCreate, "cannot be replaced; write the folder's name, as in ../NAME")
  }

  fileprivate static func exists(_ what: String) -> NetconvError {
    NetconvError(
      .cannotCreate,
      text: "is \(what); choose another path, or pass \(.force) to replace an earlier output")
  }

  fileprivate static func wrongKind(_ found: String, expected: String) -> NetconvError {
    NetconvError(.cannotCreate, "is \(found), expected \(expected); choose another path")
  }

  fileprivate static func appeared(_ file: String) -> NetconvError {
    NetconvError(
      .cannotCreate,
      "holds \(quoted(file)), which was not there when the conversion began; nothing was replaced, "
        + "so choose another path"
    )
  }
}
