internal import CSystemCalls
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One run of a process that does what may go wrong.
package struct HelperProcess {
  /// Why it is of no use any more.
  package enum Failure: Error {
    /// It has ended, or closed its socket.
    case ended
    case hangs
    case nonsense
    case interrupted
    /// The system does not let messages through, for this reason.
    case unreachable(Int32)
    /// It has said that it cannot be of use.
    case refuses(NetconvError)
  }

  /// The memory that is shared with it.
  package let memory: HelperMemory
  private let purpose: HelperPurpose
  private let settings: HelperSettings
  private let socket: HelperSocket
  private var helper: netconv_helper
  /// Whether it has said that it is netconv, and ready.
  private(set) var isReady = false
  /// Why a request has not been sent.
  private var sendingFailure: HelperSocket.Failure?

  /// How often cancellation is asked for.
  private static let pause: Int32 = 50

  /// The system's number for it.
  var identifier: Int32 { helper.pid }

  /// Starts it; whether it works is found out with the first answer.
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

  /// Whether it has ended, or says something, although nothing was asked.
  var isGone: Bool { netconv_socket_wait(helper.socket, 0) != 0 }

  /// Sends a request; whether it has arrived is found out with the answer.
  package mutating func send(_ request: [UInt8], with file: Int32 = -1) {
    do throws(HelperSocket.Failure) {
      try socket.send(request, with: file)
    } catch {
      sendingFailure = error
    }
  }

  /// The next answer.
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

  /// The next message, which is no answer but what one has announced.
  ///
  /// - Parameter count: the bytes that it has to have; room is made for them.
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

  /// Receives one message, all of which has to come in time.
  private func receiving<Result>(
    _ body: (_ wait: () throws(Failure) -> Void) throws -> Result
  ) throws(Failure) -> Result {
    var step = memory.step
    var start = ContinuousClock.now
    // There will be no answer to what has not arrived.
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

  /// Waits until there is something to receive.
  ///
  /// - Parameters:
  ///   - step: the last step that is known of.
  ///   - start: when it began.
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

  /// Ends it.
  func end() {
    var helper = helper
    netconv_helper_end(&helper, 1)
  }

  /// Ends it after a failure.
  ///
  /// - Parameters:
  ///   - library: what it has called.
  ///   - isNamed: whether what it was at stands in the error.
  /// - Returns: what a user is told.
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
