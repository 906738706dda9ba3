import NetconvKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C, or a terminal that is closed, ends the work.
///
/// There is a moment to end in order: to remove temporaries, end processes, and say what was done. It is short as long as no
/// output was begun. After it, or at a second signal, the process ends wherever it is.
enum Signals {
  private static let isInterrupted = Atomic<Bool>(false)
  private static let hasWaited = Atomic<Bool>(false)

  /// Microseconds to end in order, twice what a wait for a process takes to notice.
  private static let short = 100_000
  /// Seconds to end in order, where temporaries are to be removed.
  private static let long = 1

  /// Whether the user has asked to stop.
  static var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

  /// Installs the handlers.
  static func install() {
    // The first use sets the flag up; in a handler that would not be safe.
    isInterrupted.store(false, ordering: .relaxed)
    hasWaited.store(Netconv.hasBegunOutput, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { interrupt(at: number) }
    // Under nohup the work goes on when the terminal is closed.
    if !isIgnored(SIGHUP) { interrupt(at: SIGHUP) }
    // A reader that stops wants no more: `netconv … | head -1` ends without a word, also where the
    // parent process ignores the signal.
    signal(SIGPIPE, SIG_DFL)
    // A file that grows past the limit then gives an error that can be reported.
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

  /// Lets the work go on to its end or its error, which is being said.
  static func disarm() { wait(seconds: 0, microseconds: 0) }

  /// Has ``end()`` called after a time; never, if that is zero.
  ///
  /// A handler may call it.
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

  /// Ends the process in a handler, which may use few functions; at the second call, if an output was begun.
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
