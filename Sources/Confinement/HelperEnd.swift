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
