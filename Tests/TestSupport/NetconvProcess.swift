import Foundation

/// The netconv program that was built, run as users run it.
public struct NetconvProcess: Sendable {
  /// The result of a run.
  public typealias Result = ProgramResult

  /// A run in progress.
  public typealias Running = RunningProgram

  /// The path of the program next to the test bundle; `NETCONV_PROGRAM` selects another, such as
  /// the installed one.
  public static let executable =
    installed ?? BuiltModules.products + "/netconv"

  /// The program in `NETCONV_PROGRAM`, which contains its libraries.
  public static let installed = ProcessInfo.processInfo.environment["NETCONV_PROGRAM"]

  /// Runs the program and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: The command and its arguments.
  ///   - environment: Variables to add to the test's own environment.
  ///   - directory: The working directory, which shortens the paths in messages.
  ///   - wrapper: A program that runs the command, such as
  ///     `["/bin/sh", "-c", "ulimit …; exec \"$@\"", "sh"]`.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], in directory: String? = nil,
    wrapper: [String] = []
  ) throws -> Result {
    try start(arguments, environment: environment, in: directory, wrapper: wrapper).wait()
  }

  /// Starts the program.
  public static func start(
    _ arguments: [String], environment: [String: String] = [:], in directory: String? = nil,
    wrapper: [String] = []
  ) throws -> Running {
    try RunningProgram(
      wrapper + [executable] + arguments, environment: environment, in: directory)
  }
}
