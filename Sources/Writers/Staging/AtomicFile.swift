import Files
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A single file that appears whole or not at all, and replaces what stood there.
public enum AtomicFile {
  /// Lets `body` fill a new file, and puts it at `path` when that succeeds.
  ///
  /// - Throws: `cannotCreate`, `inputOutput`, or what `body` throws; `path` is then as it was.
  public static func write(
    to path: String, _ body: (OutputFile) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    do throws(NetconvError) {
      try check(path)
      let staging = try StagingFolder(in: Directory.parent(of: path))
      let temporary = staging.path + "/file"
      try body(try OutputFile(creating: temporary))
      guard rename(temporary, path) == 0 else { throw .cannotPublish(path, errno) }
    } catch {
      throw error.replacingStagingPath(with: path).inFile(path)
    }
  }

  /// Only a file is replaced: a device would be lost, and a link would not be followed.
  private static func check(_ path: String) throws(NetconvError) {
    switch try Directory.kind(of: path) {
    case nil, .file: break
    case .directory: throw .wrongKind("a folder", expected: "a file")
    case .symbolicLink: throw .wrongKind("a symbolic link", expected: "a path of its own")
    case .other: throw .wrongKind("neither a file nor a folder", expected: "a free path")
    }
  }
}
