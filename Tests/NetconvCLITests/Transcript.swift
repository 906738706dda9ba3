import Foundation
import TestSupport
import Testing

/// A command and its output, as stored in a file of `Transcripts`.
///
///     # a value that changed
///     % cp -r Samples/lenet-blobs changed
///     $ netconv diff Samples/lenet-blobs changed
///     | standard output
///     ! standard error
///     = 1
///
/// Lines with `%` prepare the folder; a blank line ends a transcript. The folder contains `Samples` and `Fixtures`.
struct Transcript: CustomTestStringConvertible {
  /// The file of the transcript: `convert.txt`.
  let file: String
  /// The text after `#`.
  let title: String
  /// The lines of the file.
  let lines: [String]

  var testDescription: String { "\(file): \(title)" }

  static let folder = "\(Fixtures.repository)/Tests/NetconvCLITests/Transcripts"

  static let all: [Transcript] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().flatMap {
      file in
      read((try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? "", from: file)
    }

  /// The transcripts of a file.
  static func read(_ text: String, from file: String) -> [Transcript] {
    text.split(separator: "\n\n").map { part in
      let lines = part.split(separator: "\n").map(String.init)
      return Transcript(file: file, title: String(lines[0].dropFirst(2)), lines: lines)
    }
  }

  /// The commands that are compared.
  var commands: [String] { lines.filter { $0.hasPrefix("$ ") } }

  /// The same commands with their current output.
  func repeated() throws -> [String] {
    let line = try CommandLine()
    try FileManager.default.createSymbolicLink(
      atPath: line.folder.file("Samples"), withDestinationPath: "\(Fixtures.repository)/Samples")
    try FileManager.default.createSymbolicLink(
      atPath: line.folder.file("Fixtures"),
      withDestinationPath: "\(Fixtures.repository)/Tests/Fixtures")
    return try lines.flatMap { text -> [String] in
      switch text.first {
      case "#": return [text]
      case "%":
        let result = try shell(text, in: line)
        return [text] + (result.status == 0 ? [] : marked(result.errors, "! % failed:"))
      case "$":
        let result = try shell(text, in: line)
        return [text] + marked(result.output, "|") + marked(result.errors, "!")
          + ["= \(result.status.code)"]
      default: return []
      }
    }
  }

  /// Runs a line of the shell; `netconv` in it is the program of the tests.
  private func shell(_ text: String, in line: CommandLine) throws -> NetconvProcess.Result {
    let script = text.dropFirst(2).replacing("netconv ", with: "\"$0\" ")
    return try NetconvProcess.run(
      [], in: line.folder.path, wrapper: ["/bin/sh", "-c", String(script)])
  }

  /// The lines of a stream with a mark in front of each; speeds differ from run to run.
  private func marked(_ text: String, _ mark: String) -> [String] {
    text.replacing(#/[\d,]+ images\/s/#, with: "N images/s")
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { $0.isEmpty ? mark : "\(mark) \($0)" }
  }
}
