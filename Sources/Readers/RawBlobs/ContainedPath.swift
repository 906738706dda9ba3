import Files
import ModelIR

/// A path that a document names, checked to stay within the document's folder.
struct ContainedPath {
  /// The full path.
  let path: String

  /// The file `name` in `folder`.
  ///
  /// - Throws: `badData` if the name is absolute, climbs, or goes through a symbolic link.
  init(_ name: String, in folder: String) throws(NetconvError) {
    let components = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.contains("\0"),
      components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
    else { throw .leavesFolder(name) }
    var path = folder
    for component in components {
      path += "/" + component
      guard try Directory.kind(of: path) != .symbolicLink else { throw .symbolicLink(name) }
    }
    self.path = path
  }
}
