import Files
import ModelIR

/// A single file that is written atomically.
public enum AtomicFile {
  /// Lets `body` fill a new file, and moves it to `path` on success, replacing any file there.
  ///
  /// - Throws: `cannotCreate`, `inputOutput`, or any error that `body` throws; `path` is then unchanged.
  public static func write(
    to path: String, _ body: (OutputFile) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    try write(to: Destination(file: path, replacing: .everything, force: true), body)
  }

  /// Lets `body` fill a new file, and moves it to `destination` on success.
  ///
  /// - Throws: `cannotCreate`, `inputOutput`, or any error that `body` throws; the destination is then unchanged.
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
