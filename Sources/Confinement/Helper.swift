import ModelIR

/// The client side of a helper process for work that may fail; used by one thread at a time.
///
/// The process is started on demand, and again after a failure. It ends with this value, or with this process.
package struct Helper: ~Copyable {
  private let purpose: HelperPurpose
  private let settings: HelperSettings
  private var process: HelperProcess?

  /// Creates a helper without starting the process.
  package init(_ purpose: HelperPurpose, _ settings: HelperSettings) {
    self.purpose = purpose
    self.settings = settings
  }

  deinit { process?.end() }

  /// True if the process has been started, and is not known to have ended.
  package var isRunning: Bool { process != nil }

  /// The process identifier, if the process is running.
  package var processIdentifier: Int32? { process?.identifier }

  /// The shared memory, if the process is running.
  package var memory: HelperMemory? { process?.memory }

  /// Starts the process, unless it is running; errors at startup appear with the first reply.
  package mutating func start() throws(NetconvError) {
    guard process == nil else { return }
    process = try HelperProcess(purpose, settings)
  }

  /// Releases a process that has ended between requests, which is not the fault of a file.
  ///
  /// - Precondition: No reply is pending.
  package mutating func endIfGone() {
    guard let running = process, running.isReady, running.isGone else { return }
    running.end()
    process = nil
  }

  /// Sends a request; errors in sending appear with the reply.
  package mutating func send(_ request: [UInt8], with file: Int32 = -1) {
    process?.send(request, with: file)
  }

  /// Runs `body` with the process, and ends the process if `body` fails.
  ///
  /// - Parameters:
  ///   - library: The library that the process calls, for errors.
  ///   - isNamed: True if errors name the object that was being processed.
  /// - Throws: The error for the user; `badData` if the process fails.
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
