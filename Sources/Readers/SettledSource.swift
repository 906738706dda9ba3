import Files
import ModelIR

extension ReaderRegistry {
  /// How often a source is read again that somebody is writing to; half a second.
  private static let attempts = 25

  /// Reads whatever is at `path` when nobody is writing to it, so that ``ReadSource/checkUnchanged()`` sees every
  /// later change.
  ///
  /// - Throws: `inputOutput` if somebody goes on writing; else as ``read(_:_:)``.
  public static func readSettled(
    _ path: String, _ options: ReaderOptions = ReaderOptions()
  ) throws(NetconvError) -> ReadSource {
    for _ in 0..<attempts {
      let start = FileState.now
      do throws(NetconvError) {
        let source = try read(path, options)
        guard source.wasChanged(since: start) else { return source }
      } catch {
        // Half of a file is damaged.
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

  /// Checks that nobody has written to any file of the source since it was opened.
  ///
  /// - Throws: `inputOutput` with the first file that was changed, replaced or removed.
  public func checkUnchanged() throws(NetconvError) {
    for file in allFiles { try file.checkUnchanged() }
  }

  /// Does `body`; where it finds damage and a file of the source was changed meanwhile, that is the error.
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
