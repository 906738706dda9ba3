import Synchronization
import Testing

/// The result of a program that a test ran.
///
/// If the program fails and the test does not read ``status``, the test fails and shows the output,
/// because the program's results are missing.
public struct ProgramResult: Sendable {
  /// The text on stdout, including stderr if both were merged.
  public let output: String
  /// The text on stderr.
  public let errors: String
  private let outcome: Outcome

  /// The exit code, or 128 + the number of the signal that terminated the process.
  public var status: ExitCode { outcome.look() }

  init(_ command: [String], code: Int32, output: String, errors: String) {
    (self.output, self.errors) = (output, errors)
    outcome = Outcome(
      command: command.joined(separator: " "),
      status: ExitCode(
        code, printed: [output, errors].filter { !$0.isEmpty }.joined(separator: "\n")))
  }
}

/// An exit code, and whether it was read.
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
