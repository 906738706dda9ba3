internal import CSystemCalls
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One run of the process that reads HDF5 files.
struct HelperProcess {
  /// Why it is of no use any more.
  enum Failure: Error {
    /// It has ended, or closed its socket.
    case ended
    case hangs
    case nonsense
    case interrupted
    /// It has said that it cannot be of use.
    case refuses(NetconvError)
  }

  /// The memory that is shared with it.
  let memory: HelperMemory
  private let settings: HelperState.Settings
  private let socket: HelperSocket
  private var helper: netconv_helper
  /// Whether it has said that it is netconv, and ready.
  private(set) var isReady = false

  /// How often cancellation is asked for.
  private static let pause: Int32 = 50

  /// The system's number for it.
  var identifier: Int32 { helper.pid }

  /// Starts it; whether it works is found out with the first answer.
  init(_ settings: HelperState.Settings) throws(NetconvError) {
    var helper = netconv_helper()
    let code = netconv_helper_start(
      settings.program, HelperServer.argument, HelperMemory.size, &helper)
    guard code == 0, let memory = helper.memory else {
      throw .helperNotStarted(settings.program, code)
    }
    self.settings = settings
    self.helper = helper
    self.memory = HelperMemory(memory)
    socket = HelperSocket(descriptor: helper.socket)
  }

  /// Whether it has ended, or says something, although nothing was asked.
  var isGone: Bool { netconv_socket_wait(helper.socket, 0) != 0 }

  /// Sends a request; whether it has arrived is found out with the answer.
  func send(_ request: HelperRequest, with file: Int32 = -1) {
    try? socket.send(request.bytes, with: file)
  }

  /// The next answer.
  mutating func answer() throws(Failure) -> HelperAnswer {
    while true {
      let answer = try nextAnswer()
      guard !isReady else {
        if case .ready = answer { throw .nonsense }
        return answer
      }
      switch answer {
      case .ready(let code):
        isReady = true
        if code != 0 { settings.onUnfiltered(String(cString: strerror(code))) }
      case .failed(let error): throw .refuses(error)
      default: throw .nonsense
      }
    }
  }

  private func nextAnswer() throws(Failure) -> HelperAnswer {
    do {
      let (bytes, file) = try socket.receive { () throws(Failure) in try waitForMore() }
      if file >= 0 { close(file) }
      return try HelperAnswer(bytes)
    } catch let failure as Failure {
      throw failure
    } catch HelperSocket.Failure.closed {
      throw .ended
    } catch {
      throw .nonsense
    }
  }

  /// Waits until there is something to receive.
  private func waitForMore() throws(Failure) {
    var step = memory.step
    var start = ContinuousClock.now
    while true {
      if settings.isCancelled() { throw .interrupted }
      let outcome = netconv_socket_wait(helper.socket, Self.pause)
      if outcome > 0 { return }
      guard outcome == 0 else { throw .ended }
      if memory.step != step {
        (step, start) = (memory.step, ContinuousClock.now)
      } else if ContinuousClock.now - start > settings.patience {
        throw .hangs
      }
    }
  }

  /// Ends it.
  func end() {
    var helper = helper
    netconv_helper_end(&helper, 1)
  }

  /// Ends it after a failure.
  ///
  /// - Returns: what a user is told.
  func end(after failure: Failure, isNamed: Bool) -> NetconvError {
    let object = isNamed ? memory.announced : ""
    var helper = helper
    let status = netconv_helper_end(&helper, 1)
    switch failure {
    case .refuses(let error): return error
    case .interrupted: return .interruptedByUser()
    case _ where !isReady: return .helperNotReady(settings.program, HelperEnd(status))
    case .ended: return .helperEnded(HelperEnd(status), at: object)
    case .hangs: return .helperHangs(settings.patience, at: object)
    case .nonsense: return .helperAnsweredNonsense(at: object)
    }
  }
}

/// How a process has ended.
enum HelperEnd: Equatable {
  /// By a signal.
  case signal(Int32)
  /// By itself, with a code.
  case exit(Int32)
  /// Nobody knows.
  case unknown

  /// Takes apart what `waitpid` gives.
  ///
  /// Source: POSIX, sys/wait.h; the macros are not to be had in Swift.
  init(_ status: Int32) {
    guard status >= 0 else {
      self = .unknown
      return
    }
    let signal = status & 0x7f
    self = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
  }
}
