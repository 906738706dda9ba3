/// The way in which a process has ended.
enum HelperEnd: Equatable {
  /// By a signal.
  case signal(Int32)
  /// Normally, with an exit code.
  case exit(Int32)
  /// Unknown.
  case unknown

  /// Decodes the status of `waitpid`.
  ///
  /// Source: POSIX, sys/wait.h; the macros are not available in Swift.
  init(_ status: Int32) {
    guard status >= 0 else {
      self = .unknown
      return
    }
    let signal = status & 0x7f
    self = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
  }
}
