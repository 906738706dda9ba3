import Files
import ModelIR

/// Writes a folder of files that are made in any way: it appears whole or not at all.
public enum FolderWriter {
  /// Lets `body` fill a new folder, and puts it at `destination` when that succeeds.
  ///
  /// - Throws: `cannotCreate`, `cannotOpen`, `inputOutput`, or what `body` throws; the destination is then as it was.
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
