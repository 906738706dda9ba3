import Files
import ModelIR

/// A single file that appears whole or not at all.
public enum AtomicFile {
  /// Lets `body` fill a new file, and puts it at `path` when that succeeds, in the place of any file.
  ///
  /// - Throws: `cannotCreate`, `inputOutput`, or what `body` throws; `path` is then as it was.
  public static func write(
    to path: String, _ body: (OutputFile) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    try write(to: Destination(file: path, replacing: .everything, force: true), body)
  }

  /// Lets `body` fill a new file, and puts it at `destination` when that succeeds.
  ///
  /// - Throws: `cannotCreate`, `inputOutput`, or what `body` throws; the destination is then as it was.
  public static func write(
    to destination: Destination, _ body: (OutputFile) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let path = destination.path
    do throws(NetconvError) {
      let staging = try StagingFolder(in: Directory.parent(of: path))
      try body(try OutputFile(creating: staging.path + "/file"))
      try staging.publish("file", to: destination)
    } catch {
      throw error.replacingStagingPath(with: path).inFile(path)
    }
  }
}
