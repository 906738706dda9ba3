import Synchronization
import Testing

/// What a program that a test has run gave.
///
/// If the program failed and nobody has asked for ``status``, the test fails, and shows what was printed: whatever the
/// program should have made is not there.
public struct ProgramResult: Sendable {
  /// What went to stdout; also what went to stderr, if the two were one.
  public let output: String
  /// What went to stderr.
  public let errors: String
  private let outcome: Outcome

  /// The exit code, or 128 + the number of the signal that ended the process.
  public var status: ExitCode { outcome.look() }

  init(_ command: [String], code: Int32, output: String, errors: String) {
    (self.output, self.errors) = (output, errors)
    outcome = Outcome(
      command: command.joined(separator: " "),
      status: ExitCode(
        code, printed: [output, errors].filter { !$0.isEmpty }.joined(separator: "\n")))
  }
}

/// An exit code, and whether somebody has asked for it.
private final class Outcome: Sendable {
  private let command: String
  private let status: ExitCode
  private let wasAskedFor = Mutex(false)

  init(command: String, status: ExitCode) {
    (self.command, self.status) = (command, status)
  }

  func look() -> ExitCode {
    wasAskedFor.withLock { $0 = true }
    return status
  }

  deinit {
    guard status != 0, !wasAskedFor.withLock({ $0 }) else { return }
    Issue.record("nobody has asked for the exit code of \(command): \(status.testDescription)")
  }
}
