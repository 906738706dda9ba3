import ModelIR

/// A process that does what may go wrong, as the one that uses it sees it; used by one thread at a time.
///
/// It is started when it is needed, and again after it has failed; it ends with this value, or with this process.
package struct Helper: ~Copyable {
  private let purpose: HelperPurpose
  private let settings: HelperSettings
  private var process: HelperProcess?

  /// Nothing is started yet.
  package init(_ purpose: HelperPurpose, _ settings: HelperSettings) {
    self.purpose = purpose
    self.settings = settings
  }

  deinit { process?.end() }

  /// Whether it was started, and is not known to have ended.
  package var isRunning: Bool { process != nil }

  /// The system's number for it, if it is there.
  package var processIdentifier: Int32? { process?.identifier }

  /// The memory that is shared with it, if it is there.
  package var memory: HelperMemory? { process?.memory }

  /// Starts it, if it is not there; whether it works is found out with the first answer.
  package mutating func start() throws(NetconvError) {
    guard process == nil else { return }
    process = try HelperProcess(purpose, settings)
  }

  /// Ends it if it has ended while nobody asked for anything, which is no file's fault.
  ///
  /// - Precondition: no answer is expected.
  package mutating func endIfGone() {
    guard let running = process, running.isReady, running.isGone else { return }
    running.end()
    process = nil
  }

  /// Sends a request; whether it has arrived is found out with the answer.
  package mutating func send(_ request: [UInt8], with file: Int32 = -1) {
    process?.send(request, with: file)
  }

  /// Does something with the process, and ends it if that fails.
  ///
  /// - Parameters:
  ///   - library: what it calls, for errors.
  ///   - isNamed: whether what it was at stands in errors.
  /// - Throws: what the user is told; `badData` if the process fails.
  package mutating func with<Result>(
    library: String, isNamed: Bool = true,
    _ body: (inout HelperProcess) throws(HelperProcess.Failure) -> Result
  ) throws(NetconvError) -> Result {
    guard var running = process else { throw .answersNonsense(purpose) }
    do throws(HelperProcess.Failure) {
      let result = try body(&running)
      process = running
      return result
    } catch {
      process = nil
      throw running.end(after: error, in: library, isNamed: isNamed)
    }
  }
}
