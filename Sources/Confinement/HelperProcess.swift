internal import CSystemCalls
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A running helper process for work that may fail.
package struct HelperProcess {
  /// The reason why a process is unusable.
  package enum Failure: Error {
    /// The process has ended, or closed its socket.
    case ended
    case hangs
    case nonsense
    case interrupted
    /// The system failed to transfer messages, with this error number.
    case unreachable(Int32)
    /// The process reported that it cannot work.
    case refuses(NetconvError)
  }

  /// The memory shared with the process.
  package let memory: HelperMemory
  private let purpose: HelperPurpose
  private let settings: HelperSettings
  private let socket: HelperSocket
  private var helper: netconv_helper
  /// True if the process has identified itself as netconv and ready.
  private(set) var isReady = false
  /// The reason why a request could not be sent.
  private var sendingFailure: HelperSocket.Failure?

  /// The interval of checks for cancellation, in milliseconds.
  private static let pause: Int32 = 50

  /// The process identifier.
  var identifier: Int32 { helper.pid }

  /// Starts the process; errors at startup appear with the first reply.
  init(_ purpose: HelperPurpose, _ settings: HelperSettings) throws(NetconvError) {
    var helper = netconv_helper()
    let code = netconv_helper_start(
      settings.program, purpose.argument, HelperMemory.size(for: purpose), &helper)
    guard code == 0, let memory = helper.memory else {
      throw .notStarted(purpose, settings.program, code)
    }
    self.purpose = purpose
    self.settings = settings
    self.helper = helper
    self.memory = HelperMemory(memory, for: purpose)
    socket = HelperSocket(descriptor: helper.socket)
  }

  /// True if the process has ended, or sent a message without a request.
  var isGone: Bool { netconv_socket_wait(helper.socket, 0) != 0 }

  /// Sends a request; errors in sending appear with the reply.
  package mutating func send(_ request: [UInt8], with file: Int32 = -1) {
    do throws(HelperSocket.Failure) {
      try socket.send(request, with: file)
    } catch {
      sendingFailure = error
    }
  }

  /// Returns the next reply.
  package mutating func reply() throws(Failure) -> HelperReply {
    while true {
      let reply = try nextReply()
      guard !isReady else {
        if case .ready = reply { throw .nonsense }
        return reply
      }
      switch reply {
      case .ready(let code):
        isReady = true
        if code != 0 { settings.onUnfiltered(String(cString: strerror(code))) }
      case .failed(let error): throw .refuses(error)
      case .answer: throw .nonsense
      }
    }
  }

  /// Returns the next message, which contains the data that a reply has announced.
  ///
  /// - Parameter count: The expected number of bytes, which are allocated in advance.
  package func bytes(_ count: Int) throws(Failure) -> [UInt8] {
    try receiving { wait in try socket.receive(exactly: count, wait) }
  }

  private func nextReply() throws(Failure) -> HelperReply {
    try receiving { wait in
      let (bytes, file) = try socket.receive(limit: purpose.largestAnswer, wait)
      if file >= 0 { close(file) }
      return try HelperReply(bytes, for: purpose)
    }
  }

  /// Receives one message, which must arrive completely within the time limit.
  private func receiving<Result>(
    _ body: (_ wait: () throws(Failure) -> Void) throws -> Result
  ) throws(Failure) -> Result {
    var step = memory.step
    var start = ContinuousClock.now
    // A request that was not sent has no reply.
    if case .system(let code) = sendingFailure { throw .unreachable(code) }
    do {
      return try body { () throws(Failure) in try waitForMore(&step, &start) }
    } catch let failure as Failure {
      throw failure
    } catch HelperSocket.Failure.closed {
      throw .ended
    } catch HelperSocket.Failure.system(let code) {
      throw .unreachable(code)
    } catch {
      throw .nonsense
    }
  }

  /// Waits until data is available.
  ///
  /// - Parameters:
  ///   - step: The last known step.
  ///   - start: The time when the step began.
  private func waitForMore(
    _ step: inout UInt64, _ start: inout ContinuousClock.Instant
  ) throws(Failure) {
    while true {
      if settings.isCancelled() { throw .interrupted }
      if memory.step != step {
        (step, start) = (memory.step, ContinuousClock.now)
      } else if ContinuousClock.now - start > settings.patience {
        throw .hangs
      }
      let outcome = netconv_socket_wait(helper.socket, Self.pause)
      if outcome > 0 { return }
      guard outcome == 0 else { throw .ended }
    }
  }

  /// Ends the process.
  func end() {
    var helper = helper
    netconv_helper_end(&helper, 1)
  }

  /// Ends the process after a failure.
  ///
  /// - Parameters:
  ///   - library: The library that the process called.
  ///   - isNamed: True if the error names the object that was being processed.
  /// - Returns: The error for the user.
  func end(after failure: Failure, in library: String, isNamed: Bool) -> NetconvError {
    let object = isNamed ? memory.announced : ""
    var helper = helper
    let end = HelperEnd(netconv_helper_end(&helper, 1))
    switch failure {
    case .refuses(let error): return error
    case .interrupted: return .interruptedByUser()
    case .unreachable(let code): return .unreachable(purpose, code)
    case _ where !isReady: return .notReady(purpose, settings.program, end)
    case .ended: return .ended(end, in: library).at(object)
    case .hangs: return .hangs(settings.patience, in: library).at(object)
    case .nonsense: return .answersNonsense(purpose).at(object)
    }
  }
}

extension NetconvError {
  fileprivate static func notStarted(_ purpose: HelperPurpose, _ program: String, _ code: Int32)
    -> NetconvError
  {
    NetconvError(
      .cannotOpen,
      "\(purpose.deed) in a separate process, but \(quoted(program)) cannot be started as one: "
        + String(cString: strerror(code)))
  }

  /// The error for a helper that cannot be reached; the file is not known to be damaged.
  fileprivate static func unreachable(_ purpose: HelperPurpose, _ code: Int32) -> NetconvError {
    NetconvError(
      .inputOutput, "\(purpose.name) does not respond (\(String(cString: strerror(code))))")
  }

  fileprivate static func hangs(_ patience: Duration, in library: String) -> NetconvError {
    NetconvError(
      .badData,
      "damaged: \(library) does not finish with it in \(patience.components.seconds) s")
  }

  fileprivate static func interruptedByUser() -> NetconvError {
    NetconvError(.interrupted, "interrupted; nothing was changed")
  }
}
