import Files
import ModelIR

/// A writer for folders with arbitrary files, which are written atomically.
public enum FolderWriter {
  /// Lets `body` fill a new folder, and moves it to `destination` on success.
  ///
  /// - Throws: `cannotCreate`, `cannotOpen`, `inputOutput`, or any error that `body` throws; the destination is then unchanged.
  public static func write(
    to destination: Destination, _ body: (_ folder: String) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    do throws(NetconvError) {
      let staging = try StagingFolder(in: Directory.parent(of: destination.path))
      let folder = staging.path + "/new"
      try Directory.create(folder)
      try body(folder)
      try StagingFolder.removeLeft(below: folder)
      try staging.publish("new", to: destination)
    } catch {
      throw error.replacingStagingPath(with: destination.path)
    }
  }
}
