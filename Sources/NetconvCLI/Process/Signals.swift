import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C ends the work at the next good place, so that temporaries are removed; a second one ends at once.
enum Signals {
  private static let isInterrupted = Atomic<Bool>(false)

  /// Whether the user has asked to stop.
  static var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

  /// Installs the handlers.
  static func install() {
    // The first use sets the flag up; in a handler that would not be safe.
    isInterrupted.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Signals.isInterrupted.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
    // A file that grows past the limit then gives an error that can be reported.
    signal(SIGXFSZ, SIG_IGN)
  }
}
