import Documents
import Files
import ModelIR

/// Where an output goes, checked before any work is done.
public struct Destination: Sendable {
  /// As the user named it, without slashes at its end.
  public let path: String
  /// The container that is all of the output; `nil` for a folder, or a file of another kind.
  public let container: OutputFormat?
  /// Whether it is a single file; else it is a folder.
  var isFile: Bool { if case .file = kind { true } else { false } }
  /// Whether something stands there that will be replaced.
  let isReplacing: Bool
  private let kind: Kind
  private let force: Bool

  /// What will stand there.
  private enum Kind {
    /// A folder, and the files that may be replaced in one that is not a conversion's; `nil` for one that is.
    case folder(Set<String>?)
    /// A file in the place of another.
    case file(ReplaceableFile)
  }

  /// Checks that `path` is free, or holds what netconv may replace.
  ///
  /// - Parameters:
  ///   - path: a container alone if it ends as one does, else a folder.
  ///   - force: whether an earlier output of netconv may be replaced.
  /// - Throws: `cannotCreate`, naming the first file that is not netconv's.
  public init(_ path: String, force: Bool) throws(NetconvError) {
    let container = Self.container(of: path)
    try self.init(
      path, container, container.map { Kind.file($0.writable.replaceable) } ?? .folder(nil),
      force: force)
  }

  /// Checks that `path` is free, or a folder that holds nothing but `files`.
  ///
  /// - Parameters:
  ///   - files: paths from the folder on; those that end in `/` are folders of which everything may be replaced.
  ///   - force: whether such files may be replaced.
  /// - Throws: `cannotCreate`, naming the first file that is none of `files`.
  public init(
    folder path: String, of files: Set<String>, force: Bool
  ) throws(NetconvError) {
    try self.init(path, nil, .folder(files), force: force)
  }

  /// Checks that `path` is free, or a file that may be replaced, and that its folder is there.
  ///
  /// - Parameters:
  ///   - replaceable: which files may be replaced.
  ///   - force: whether such a file may be replaced.
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
      // The system exchanges no folder that is named in this way.
      guard ![".", ".."].contains(name) else { throw NetconvError.notAName }
      isReplacing = try Self.check(self.path, called: name, kind, force: force)
    } catch {
      throw error.inFile(self.path)
    }
  }

  /// Checks once more that what stood at the destination may be removed, when it lies at `moved`.
  ///
  /// Between ``init(_:force:)`` and the exchange somebody may have put a file there.
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

  /// Whether `moved` holds nothing but what netconv wrote.
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
    case (.file, .file(let replaceable)):
      guard force else { throw .exists("a file") }
      guard try replaceable.isOurs(path) else { throw replaceable.refusal(name) }
    case (.directory, .file(let replaceable)):
      throw .wrongKind("a folder", expected: replaceable.kind)
    case (.file, .folder): throw .wrongKind("a file", expected: "a folder")
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
      // What has no manifest that can be understood is not netconv's; what cannot be read may be.
      let isThere = try Directory.kind(of: folder + "/" + Manifest.fileName) == .file
      guard isThere, error.isOfReading else {
        throw .foreignFile(try Directory.files(below: folder).first ?? folder)
      }
      throw error
    }
    // The folder of the weights is empty if the model has none.
    var ours: Set = [Manifest.fileName]
    for tensor in manifest.tensors { ours.formUnion(tensor.places.values.map(\.file)) }
    for format in OutputFormat.allCases { ours.formUnion(format.files) }
    if let goldens = manifest.goldens { ours.formUnion([goldens.file] + goldens.values) }
    try check(folder, holdsOnly: ours)
  }

  private static func check(
    _ folder: String, holdsOnly ours: Set<String>, andAllIn folders: Set<String> = []
  ) throws(NetconvError) {
    for file in try Directory.files(below: folder) {
      if folders.contains(where: file.hasPrefix) { continue }
      // A link or a pipe of that name was put there by somebody else.
      let kind = try Directory.kind(of: folder + "/" + file)
      guard ours.contains(file), kind == .file || file.hasSuffix("/") else {
        throw .foreignFile(file)
      }
    }
  }
}
