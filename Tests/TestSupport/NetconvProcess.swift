import Foundation

/// The built program, run as a user runs it.
public struct NetconvProcess: Sendable {
  /// What a run of the program gave.
  public typealias Result = ProgramResult

  /// A run of the program that is still going on.
  public typealias Running = RunningProgram

  /// The program, which lies beside the test bundle; `NETCONV_PROGRAM` names another one, such as the installed one.
  public static let executable =
    installed ?? BuiltModules.products + "/netconv"

  /// The program that `NETCONV_PROGRAM` names, which has its libraries inside.
  public static let installed = ProcessInfo.processInfo.environment["NETCONV_PROGRAM"]

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: the verb and what follows.
  ///   - environment: added to the test's own.
  ///   - directory: where it runs; paths in its messages are then short.
  ///   - wrapper: a program that is given the command, such as `["/bin/sh", "-c", "ulimit …; exec \"$@\"", "sh"]`.
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
