import Files
import ModelIR

/// A path within a folder, as a document names it, checked not to leave the folder.
struct ContainedPath {
  private let folder: String
  private let name: String
  /// What stands there; `nil` if nothing does.
  let kind: PathKind?

  /// The file `name` in `folder`.
  ///
  /// - Throws: `badData` if the name is absolute, climbs, or goes through a symbolic link.
  init(_ name: String, in folder: String) throws(NetconvError) {
    let components = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.contains("\0"),
      components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
    else { throw .leavesFolder(name) }
    var path = folder
    var kind: PathKind?
    for component in components {
      path += "/" + component
      kind = try Directory.kind(of: path)
      guard kind != .symbolicLink else { throw .symbolicLink(name) }
    }
    self.folder = folder
    self.name = name
    self.kind = kind
  }

  /// Opens the file; a link that has come there since the check is not followed either.
  ///
  /// - Throws: `cannotOpen`.
  func open() throws(NetconvError) -> RandomAccessFile {
    try RandomAccessFile(name, in: folder)
  }
}
