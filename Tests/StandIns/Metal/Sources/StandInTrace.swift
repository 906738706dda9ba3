/// What tests of programs ask the stand-ins for, by variables of the environment.
package enum StandInTrace {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isOn = environment["NETCONV_TRACE_COMMITS"] != nil
  /// The command buffer, from 1 on, that fails.
  private static let failing = environment["NETCONV_FAILING_COMMIT"].flatMap { Int($0) }
  /// Milliseconds that each command buffer takes longer.
  private static let delay = environment["NETCONV_COMMIT_DELAY"].flatMap { UInt32($0) } ?? 0
  /// Whether the device is one without kernels.
  package static let hasNoKernels = environment["NETCONV_NO_KERNELS"] != nil
  /// Whether graphs commit the command buffer that they are given, and go on with another.
  package static let graphsCommit = environment["NETCONV_GRAPHS_COMMIT"] != nil
  private static let lock = NSLock()
  nonisolated(unsafe) private static var commits = 0

  /// Says what happens, a word on a line of the standard error.
  package static func write(_ word: String) {
    if isOn { FileHandle.standardError.write(Data("\(word)\n".utf8)) }
  }

  /// Whether the command buffer that is committed now fails.
  static func nextFails() -> Bool {
    lock.withLock {
      commits += 1
      return commits == failing
    }
  }

  /// Lets time go by.
  static func wait() { if delay > 0 { usleep(delay * 1000) } }
}

/// Why a command buffer failed that a test lets fail.
struct StandInFailure: Error, CustomStringConvertible {
  let description = "the stand-in was told to fail"
}
