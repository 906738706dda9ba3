import Foundation

/// A program that a test has started.
///
/// Tests start programs only through this type.
public struct RunningProgram {
  private let command: [String]
  private let process: Process
  private let folder: TemporaryFolder

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The path of the program and its arguments.
  ///   - environment: Variables to add to the test's own environment.
  ///   - directory: The working directory.
  ///   - mergingErrors: True to redirect stderr to stdout, which preserves the order of lines.
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
    // Files do not have to be read while the program runs, in contrast to pipes.
    folder = try TemporaryFolder()
    for name in ["output", "errors"] { try folder.write([], to: name) }
    let output = FileHandle(forWritingAtPath: folder.file("output"))
    process.standardOutput = output
    process.standardError =
      mergingErrors ? output : FileHandle(forWritingAtPath: folder.file("errors"))
    try process.run()
  }

  /// The process identifier.
  public var identifier: Int32 { process.processIdentifier }

  /// Sends a signal, unless the program has ended and its identifier may be in use again.
  public func signal(_ number: Int32) {
    if process.isRunning { kill(process.processIdentifier, number) }
  }

  /// True if the program has not ended.
  public var isRunning: Bool { process.isRunning }

  /// Waits for the program's end.
  public func wait() throws -> ProgramResult {
    process.waitUntilExit()
    let wasEnded = process.terminationReason == .uncaughtSignal
    return ProgramResult(
      command, code: (wasEnded ? 128 : 0) + process.terminationStatus,
      output: String(decoding: try folder.bytes("output"), as: UTF8.self),
      errors: String(decoding: try folder.bytes("errors"), as: UTF8.self))
  }

  /// Runs a program and waits for its end, with stderr merged into stdout.
  public static func run(
    _ command: [String], in directory: String? = nil
  ) throws -> ProgramResult {
    try RunningProgram(command, in: directory, mergingErrors: true).wait()
  }
}
