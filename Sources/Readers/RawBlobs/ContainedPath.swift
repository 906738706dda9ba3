import Files
import ModelIR

/// A path in a document that has been checked to stay within its folder.
struct ContainedPath {
  private let folder: String
  private let name: String
  /// The kind of the file; `nil` if it does not exist.
  let kind: PathKind?

  /// Checks the path `name` in `folder`.
  ///
  /// - Throws: `badData` if the name is absolute, has `..` components, or passes a symbolic link.
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

  /// Opens the file, without following a symbolic link created since the check.
  ///
  /// - Throws: `cannotOpen`.
  func open() throws(NetconvError) -> RandomAccessFile {
    try RandomAccessFile(name, in: folder)
  }
}

extension NetconvError {
  fileprivate static func symbolicLink(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "file \(quoted(name)) is reached through a symbolic link; copy the file itself there"
    )
  }
}
