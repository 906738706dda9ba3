import Foundation

/// A program that a test has started; the only place in which tests start any.
public struct RunningProgram {
  private let command: [String]
  private let process: Process
  private let folder: TemporaryFolder

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: its path, and its arguments.
  ///   - environment: added to the test's own.
  ///   - directory: where it runs.
  ///   - mergingErrors: whether stderr goes where stdout goes, so that lines keep their order.
  public init(
    _ command: [String], environment: [String: String] = [:], in directory: String? = nil,
    mergingErrors: Bool = false
  ) throws {
    self.command = command
    process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: nobody has to read them while the program runs.
    folder = try TemporaryFolder()
    for name in ["output", "errors"] { try folder.write([], to: name) }
    let output = FileHandle(forWritingAtPath: folder.file("output"))
    process.standardOutput = output
    process.standardError =
      mergingErrors ? output : FileHandle(forWritingAtPath: folder.file("errors"))
    try process.run()
  }

  /// The system's number for the program.
  public var identifier: Int32 { process.processIdentifier }

  /// Sends a signal, unless the program has ended: its number may then be another's.
  public func signal(_ number: Int32) {
    if process.isRunning { kill(process.processIdentifier, number) }
  }

  /// Whether the program has not ended yet.
  public var isRunning: Bool { process.isRunning }

  /// Waits for the end.
  public func wait() throws -> ProgramResult {
    process.waitUntilExit()
    let wasEnded = process.terminationReason == .uncaughtSignal
    return ProgramResult(
      command, code: (wasEnded ? 128 : 0) + process.terminationStatus,
      output: String(decoding: try folder.bytes("output"), as: UTF8.self),
      errors: String(decoding: try folder.bytes("errors"), as: UTF8.self))
  }

  /// Runs a program to its end, with stdout and stderr in one.
  public static func run(
    _ command: [String], in directory: String? = nil
  ) throws -> ProgramResult {
    try RunningProgram(command, in: directory, mergingErrors: true).wait()
  }
}
