import Foundation
import TestSupport
import Testing

/// The most common errors and verdicts, verbatim: the problem, its location, and a remedy.
///
/// `make docs` writes the current output into the files; review the changes before you commit them.
@Suite("The commonest errors and verdicts are those of their transcripts", .serialized)
struct TranscriptTests {
  private static let writes = ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil

  @Test("there are at least 60, each once")
  func count() {
    let commands = Transcript.all.flatMap(\.commands)
    #expect(commands.count >= 60)
    #expect(Set(Transcript.all.map(\.title)).count == Transcript.all.count)
    #expect(Transcript.all.allSatisfy { !$0.commands.isEmpty })
  }

  @Test("command, exit code and both streams are the same", arguments: Transcript.all)
  func transcript(_ transcript: Transcript) throws {
    let now = try transcript.repeated()
    if Self.writes {
      let path = "\(Transcript.folder)/\(transcript.file)"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let old = transcript.lines.joined(separator: "\n")
      try text.replacing(old, with: now.joined(separator: "\n"))
        .write(toFile: path, atomically: true, encoding: .utf8)
    } else {
      #expect(
        now == transcript.lines,
        "\(now.joined(separator: "\n"))\n\(transcript.file) is stale; run make docs, and read what has changed"
      )
    }
  }

  @Test("every error begins with what it is about, and ends with a way on or what was expected")
  func form() {
    let errors = Transcript.all.flatMap(\.lines).filter { $0.hasPrefix("! netconv: error: ") }
    #expect(errors.count > 50)
    let words = [
      ";", "expected", "needs", "known are", "it takes", "did you mean", "Please provide",
      "with a value at", "Missing value", "in line",
      // The way on stands in the lines below.
      "unknown operators",
    ]
    #expect(errors.filter { error in !words.contains(where: error.contains) } == [])
  }

  @Test("a transcript that says something else is found")
  func stale() throws {
    let transcript = Transcript.read(
      "# a title\n$ netconv inspect nothing.h5\n= 0\n", from: "made.txt")[0]
    #expect(
      try transcript.repeated() == [
        "# a title", "$ netconv inspect nothing.h5",
        "! netconv: error: nothing.h5: no such file or folder; check the path", "= 66",
      ])
  }
}
