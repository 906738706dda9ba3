import Files
import ModelIR

extension ReaderRegistry {
  /// The maximum number of attempts to read a source that another process is writing to; about half a second.
  private static let attempts = 25

  /// Reads the source at `path` while no process is writing to it, so that ``ReadSource/checkUnchanged()`` detects
  /// every later change.
  ///
  /// - Throws: `inputOutput` if the file keeps changing; the errors of ``read(_:_:)``.
  public static func readSettled(
    _ path: String, _ options: ReaderOptions = ReaderOptions()
  ) throws(NetconvError) -> ReadSource {
    for _ in 0..<attempts {
      let start = FileState.now
      do throws(NetconvError) {
        let source = try read(path, options)
        guard source.wasChanged(since: start) else { return source }
      } catch {
        // A partly written file looks damaged.
        let state = error.file.flatMap { FileState(path: $0) }
        guard state?.wasChanged(since: start) ?? false else { throw error }
      }
      FileState.waitForTick()
    }
    throw .changedWhileRead(path)
  }
}

extension ReadSource {
  private var allFiles: [RandomAccessFile] { files + documents }

  fileprivate func wasChanged(since start: Int) -> Bool {
    allFiles.contains { $0.state.wasChanged(since: start) }
  }

  /// Checks that no file of the source has been modified since it was opened.
  ///
  /// - Throws: `inputOutput` with the first file that was changed, replaced or removed.
  public func checkUnchanged() throws(NetconvError) {
    for file in allFiles { try file.checkUnchanged() }
  }

  /// Runs `body`; if it fails and a file of the source was changed meanwhile, that change is the error.
  public func whileUnchanged<Result>(
    _ body: () throws(NetconvError) -> Result
  ) throws(NetconvError) -> Result {
    do throws(NetconvError) {
      return try body()
    } catch {
      if [.badData, .cannotOpen, .inputOutput, .internal].contains(error.kind) {
        try checkUnchanged()
      }
      throw error
    }
  }
}
