import Foundation
import TestSupport
import Testing

@Suite("A source that is written to while it is converted")
struct ChangedSourceTests {
  @Test("is named, exits with 74, and the old output stays")
  func changed() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try TinyModel.writeLarge(to: line, size: 8192)
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet"))
    let before = try line.contents(of: "out")
    let running = try NetconvProcess.start(
      ["convert", "large", "out", "--force", "--formats", "bin"], in: line.folder.path)
    // The source has been opened when its output has begun.
    while running.isRunning, try staged(line) == nil { usleep(1000) }
    running.signal(SIGSTOP)
    #expect(try staged(line) != nil)
    let file = try #require(FileHandle(forWritingAtPath: line.folder.file("large/W.bin")))
    try file.write(contentsOf: Data([1, 2, 3, 4]))
    try file.close()
    running.signal(SIGCONT)
    expectError(
      try running.wait(), 74,
      "large/W.bin: was changed while it was read; nothing was written, so run again when no other program "
        + "writes to it")
    #expect(try line.contents(of: "out") == before)
    #expect(try line.names() == ["blobs", "large", "out"])
  }

  private func staged(_ line: CommandLine) throws -> String? {
    try line.names().first { $0.hasPrefix(".netconv-staging-") }.flatMap { name in
      let folder = line.folder.file("\(name)/new")
      return access(folder, F_OK) == 0 ? folder : nil
    }
  }
}
