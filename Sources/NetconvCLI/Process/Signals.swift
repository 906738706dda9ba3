import NetconvKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The handling of Ctrl-C and of a closed terminal.
///
/// The process has a short time for an orderly end: to remove temporary files, end helper
/// processes, and report the results. It is longer if output was started. After it, or at a second
/// signal, the process ends immediately.
enum Signals {
  private static let isInterrupted = Atomic<Bool>(false)
  private static let hasWaited = Atomic<Bool>(false)

  /// The time for an orderly end in microseconds, twice the polling interval of a wait for a
  /// process.
  private static let short = 100_000
  /// The time in seconds if temporary files have to be removed.
  private static let long = 1

  /// True if the user has requested an interruption.
  static var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

  /// Installs the signal handlers.
  static func install() {
    // The first access initialises the flag, which is unsafe in a handler.
    isInterrupted.store(false, ordering: .relaxed)
    hasWaited.store(Netconv.hasBegunOutput, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { interrupt(at: number) }
    // Under nohup, the process continues after the terminal is closed.
    if !isIgnored(SIGHUP) { interrupt(at: SIGHUP) }
    // If the reader closes the pipe, as in `netconv … | head -1`, the process ends silently, even
    // if the parent process ignores the signal.
    signal(SIGPIPE, SIG_DFL)
    // A file above the size limit then causes an error that can be reported.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGALRM) { _ in Signals.end() }
    unblock(SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM)
  }

  private static func interrupt(at number: Int32) {
    signal(number) { number in
      Signals.isInterrupted.store(true, ordering: .relaxed)
      signal(number, SIG_DFL)
      Signals.wait(seconds: 0, microseconds: Signals.short)
    }
  }

  /// Cancels the timer, so that the process can end or report its error.
  static func disarm() { wait(seconds: 0, microseconds: 0) }

  /// Schedules a call of ``end()``; a delay of zero cancels it.
  ///
  /// This function is safe in a signal handler.
  private static func wait(seconds: Int, microseconds: Int) {
    var time = itimerval()
    time.it_value.tv_sec = .init(seconds)
    time.it_value.tv_usec = .init(microseconds)
    #if canImport(Glibc)
      setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &time, nil)
    #else
      setitimer(ITIMER_REAL, &time, nil)
    #endif
  }

  /// Ends the process in a signal handler, where few functions are safe; if output was started, at
  /// the second call.
  private static func end() {
    let hasBegun = Netconv.hasBegunOutput
    if hasBegun, !hasWaited.exchange(true, ordering: .relaxed) {
      return wait(seconds: long, microseconds: 0)
    }
    let text: StaticString =
      hasBegun
      ? "netconv: error: interrupted; each output is the old one or the new one, and the next run removes what is left\n"
      : "netconv: error: interrupted; nothing was changed\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(ExitStatus.interrupted.rawValue)
  }

  /// True if the process was started with the signal ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_IGN)
    signal(number, handler)
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Unblocks the signals: threads of libdispatch block them, and child processes would inherit
  /// that.
  private static func unblock(_ numbers: Int32...) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}
