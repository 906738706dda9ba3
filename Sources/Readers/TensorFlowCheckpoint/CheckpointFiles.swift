import Files
import ModelIR

/// The files of a checkpoint by the path that they have in common.
struct CheckpointFiles: Sendable {
  /// The path of the files without what tells them apart: `model.ckpt-1000`.
  let prefix: String
  /// The index of a checkpoint of version 2, or the files of one of version 1, of which most have one.
  let tables: [RandomAccessFile]

  static let indexEnding = ".index"

  /// The checkpoint called `prefix`.
  ///
  /// - Throws: `cannotOpen` if there is none.
  init(prefix: String) throws(NetconvError) {
    self.prefix = prefix
    tables = [
      try RandomAccessFile(
        path: FileState(path: prefix + Self.indexEnding) == nil
          ? prefix : prefix + Self.indexEnding)
    ]
  }

  /// The path of a file with values: `NAME.data-00000-of-00002`.
  static func shardPath(_ prefix: String, _ number: Int, of count: Int) -> String {
    "\(prefix).data-\(padded(number))-of-\(padded(count))"
  }

  /// At least five digits.
  private static func padded(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 5 - text.count)) + text
  }
}
