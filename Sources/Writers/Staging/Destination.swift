import Documents
import Files
import ModelIR
import Zlib

/// Where an output goes, checked before any work is done.
public struct Destination: Sendable {
  /// As the user named it, without slashes at its end.
  public let path: String
  /// Whether it is a single archive; else it is a folder.
  public let isArchive: Bool
  /// Whether something stands there that will be replaced.
  let isReplacing: Bool
  private let force: Bool
  /// The files that may be replaced in a folder that is not a conversion's; `nil` for one that is.
  private let ours: Set<String>?

  /// Checks that `path` is free, or holds what netconv may replace.
  ///
  /// - Parameters:
  ///   - path: an archive if it ends in `.netpack`, else a folder.
  ///   - force: whether an earlier output of netconv may be replaced.
  /// - Throws: `cannotCreate`, naming the first file that is not netconv's.
  public init(_ path: String, force: Bool) throws(NetconvError) {
    try self.init(path, isArchive: Self.isArchive(path), ours: nil, force: force)
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
    try self.init(path, isArchive: false, ours: files, force: force)
  }

  private init(
    _ path: String, isArchive: Bool, ours: Set<String>?, force: Bool
  ) throws(NetconvError) {
    self.path = Directory.withoutTrailingSlashes(path)
    self.isArchive = isArchive
    self.ours = ours
    self.force = force
    let name = Directory.lastComponent(of: self.path)
    do throws(NetconvError) {
      // The system exchanges no folder that is named in this way.
      guard ![".", ".."].contains(name) else { throw NetconvError.notAName }
      isReplacing = try Self.check(
        self.path, called: name, isArchive: isArchive, ours: ours, force: force)
    } catch {
      throw error.inFile(self.path)
    }
  }

  /// Whether an output at `path` is a single archive.
  public static func isArchive(_ path: String) -> Bool { path.hasSuffix(archiveSuffix) }

  /// What the names of archives end in.
  public static let archiveSuffix = ".netpack"

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
      _ = try Self.check(
        moved, called: Directory.lastComponent(of: path), isArchive: isArchive, ours: ours,
        force: true)
    } catch {
      throw error.replacingStagingPath(with: path).inFile(path)
    }
  }

  /// Whether `moved` holds nothing but what netconv wrote.
  func isOurs(_ moved: String) -> Bool {
    let name = Directory.lastComponent(of: path)
    return (try? Self.check(moved, called: name, isArchive: isArchive, ours: ours, force: true))
      ?? false
  }

  private static func check(
    _ path: String, called name: String, isArchive: Bool, ours: Set<String>?, force: Bool
  ) throws(NetconvError) -> Bool {
    switch try Directory.kind(of: path) {
    case nil: return false
    case .directory where !isArchive:
      if try Directory.names(in: path).isEmpty { return true }
      guard force else { throw .exists("a folder that is not empty") }
      if let ours {
        try check(path, holdsOnly: ours, andAllIn: ours.filter { $0.hasSuffix("/") })
      } else {
        try checkIsOurs(folder: path)
      }
    case .file where isArchive:
      guard force else { throw .exists("a file") }
      guard isOurs(archive: path) else { throw .foreignFile(name) }
    case .directory: throw .wrongKind("a folder", expected: "an archive")
    case .file: throw .wrongKind("a file", expected: "a folder")
    case .symbolicLink: throw .wrongKind("a symbolic link", expected: "a path of its own")
    case .other: throw .wrongKind("neither a file nor a folder", expected: "a free path")
    }
    return true
  }

  private static func checkIsOurs(folder: String) throws(NetconvError) {
    guard
      let bytes = try? RandomAccessFile(Manifest.fileName, in: folder)
        .contents(limit: JSONDocument.sizeLimit), let manifest = try? Manifest.decode(bytes)
    else {
      throw .foreignFile(try Directory.files(below: folder).first ?? folder)
    }
    // The folder of the weights is empty if the model has none.
    let ours = Set(
      manifest.tensors.flatMap { $0.places.values.map(\.file) } + [
        Manifest.fileName, Manifest.archiveName, Manifest.safetensorsName, Manifest.npzName,
        CFormat.headerName, CFormat.sourceName,
        "weights/",
      ] + (manifest.goldens.map { [$0.file] + $0.values } ?? []))
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

  private static func isOurs(archive path: String) -> Bool {
    guard let archive = try? ZipArchive(RandomAccessFile(path: path)),
      let entry = archive.entry(named: Manifest.fileName),
      let bytes = try? archive.contents(of: entry, limit: JSONDocument.sizeLimit),
      (try? Manifest.decode(bytes)) != nil
    else { return false }
    return true
  }
}
