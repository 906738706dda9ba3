import Foundation

/// The built program, run as a user runs it.
public struct NetconvProcess: Sendable {
  /// What a run of the program gave.
  public struct Result: Sendable {
    /// The exit code, or 128 + the number of the signal that ended the process.
    public let status: Int32
    /// What went to stdout.
    public let output: String
    /// What went to stderr.
    public let errors: String
  }

  /// The program, which lies beside the test bundle.
  public static let executable = URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "netconv").path(percentEncoded: false)

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
    let process = try start(
      arguments, environment: environment, in: directory, wrapper: wrapper)
    return try process.wait()
  }

  /// A run of the program that is still going on.
  public struct Running {
    fileprivate let process: Process
    fileprivate let folder: TemporaryFolder

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Whether the program has not ended yet.
    public var isRunning: Bool { process.isRunning }

    /// Waits for the end.
    public func wait() throws -> Result {
      process.waitUntilExit()
      let status =
        process.terminationReason == .uncaughtSignal
        ? 128 + process.terminationStatus : process.terminationStatus
      return Result(
        status: status, output: String(decoding: try folder.bytes("output"), as: UTF8.self),
        errors: String(decoding: try folder.bytes("errors"), as: UTF8.self))
    }
  }

  /// Starts the program.
  public static func start(
    _ arguments: [String], environment: [String: String] = [:], in directory: String? = nil,
    wrapper: [String] = []
  ) throws -> Running {
    let command = wrapper + [executable] + arguments
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    // Files, not pipes: nobody has to read them while the program runs.
    let folder = try TemporaryFolder()
    for (name, key) in [
      ("output", \Process.standardOutput), ("errors", \Process.standardError),
    ] {
      try folder.write([], to: name)
      process[keyPath: key] = FileHandle(forWritingAtPath: folder.file(name))
    }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return Running(process: process, folder: folder)
  }
}
