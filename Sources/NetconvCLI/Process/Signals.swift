import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C, or a terminal that is closed, ends the work at the next good place, so that temporaries are removed; a second one
/// ends at once, and so does time, if there is no good place for seconds.
enum Signals {
  private static let isInterrupted = Atomic<Bool>(false)

  /// Whether the user has asked to stop.
  static var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

  /// Installs the handlers.
  static func install() {
    // The first use sets the flag up; in a handler that would not be safe.
    isInterrupted.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { interrupt(at: number) }
    // Under nohup the work goes on when the terminal is closed.
    if !isIgnored(SIGHUP) { interrupt(at: SIGHUP) }
    // A reader that stops wants no more: `netconv … | head -1` ends without a word, also where the
    // parent process ignores the signal.
    signal(SIGPIPE, SIG_DFL)
    // A file that grows past the limit then gives an error that can be reported.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGALRM) { _ in _exit(ExitStatus.interrupted.rawValue) }
    unblock(SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM)
  }

  private static func interrupt(at number: Int32) {
    signal(number) { number in
      Signals.isInterrupted.store(true, ordering: .relaxed)
      signal(number, SIG_DFL)
      alarm(5)
    }
  }

  /// Whether the process was started so that it does not hear of a signal.
  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_IGN)
    signal(number, handler)
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Threads of libdispatch block signals, and what they start would never hear of Ctrl-C.
  private static func unblock(_ numbers: Int32...) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}
