import Foundation
import TestSupport
import Testing

@Suite("Sources that are not what they should be")
struct SourceRefusalTests {
  @Test(
    "nothing at the path exits with 66, for every verb",
    arguments: [
      ["convert", "no.h5", "out"], ["inspect", "no.h5"], ["verify", "no.h5"],
      ["run", "no.h5", "--input", "no.npy"],
    ])
  func missing(arguments: [String]) throws {
    let line = try CommandLine()
    let result = try NetconvProcess.run(arguments, in: line.folder.path)
    expectError(result, 66, "no.h5: no such file or folder; check the path")
    #expect(try line.names().isEmpty)
  }

  @Test(
    "other files exit with 65, what they begin with, and what is known",
    arguments: [
      (
        "hello, I am no model",
        "is not a format that netconv reads (it begins with the text 'hello, I am no m')"
      ),
      (
        "\u{1}PNG\r\n\u{1a}\n\0\0\0\rIHDR",
        "is not a format that netconv reads (it begins with the bytes 01 50 4e 47 0d 0a 1a 0a)"
      ),
      ("\u{1f}", "is not a format that netconv reads (it begins with the bytes 1f)"),
    ])
  func otherFiles(contents: String, found: String) throws {
    let line = try CommandLine()
    try line.folder.write(contents, to: "file.h5")
    let result = try line.netconv("convert", "file.h5", "out")
    expectError(result, 65, "file.h5: \(found); expected one of" + knownFormats)
    #expect(try line.names() == ["file.h5"])
  }

  @Test("a folder of anything else exits with 65")
  func otherFolders() throws {
    let line = try CommandLine()
    try line.folder.write("x", to: "folder/notes.txt")
    expectError(
      try line.netconv("inspect", "folder"), 65,
      "folder: is a folder without model.json or manifest.json; expected one of" + knownFormats)
  }

  @Test("a pipe in place of a checkpoint is refused, not waited for")
  func pipe() throws {
    let line = try CommandLine()
    let result = try line.shell(#"mkfifo pipe; exec "$@""#, "inspect", "pipe")
    expectError(result, 66, "pipe: is not a regular file")
  }

  @Test(
    "a file that may not be read exits with 66",
    .enabled(if: unprivileged != nil, "root can read everything, and there is no setpriv"))
  func unreadable() throws {
    let line = try CommandLine()
    try line.folder.write("secret", to: "model.h5")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: line.folder.file("model.h5"))
    let result = try line.netconv("inspect", "model.h5", wrapper: try #require(unprivileged))
    expectError(result, 66, "model.h5: permission denied; it must be readable")
  }

  @Test(
    "a checkpoint that was cut off says how much is missing",
    arguments: [96, 100, 512, 2048, 4096, 10_000, 16_015])
  func truncated(size: Int) throws {
    let line = try CommandLine()
    try line.folder.write(
      Data(contentsOf: URL(filePath: Fixtures.path("keras/keras2-reshape-dense.h5"))).prefix(size),
      to: "cut.h5")
    let result = try line.netconv("convert", "cut.h5", "out")
    expectError(
      result, 65,
      "cut.h5: the file is truncated: it has \(size) bytes, and its superblock says 16016; copy or "
        + "download it again")
    #expect(try line.names() == ["cut.h5"])
  }

  @Test("a checkpoint that ends within its first bytes is refused too", arguments: 1..<96)
  func cutInSuperblock(size: Int) throws {
    let line = try CommandLine()
    try line.folder.write(
      Data(contentsOf: URL(filePath: Fixtures.path("keras/keras2-reshape-dense.h5"))).prefix(size),
      to: "cut.h5")
    let result = try line.netconv("inspect", "cut.h5")
    #expect(result.errors.hasPrefix("netconv: error: cut.h5: "))
    #expect(result.status == 65)
  }

  @Test("a ZIP archive of something else is refused")
  func otherArchive() throws {
    let line = try CommandLine()
    // An end record alone: an archive without entries.
    try line.folder.write([0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18), to: "a.netpack")
    expectError(
      try line.netconv("inspect", "a.netpack"), 65,
      "a.netpack: is a ZIP archive, but neither netconv's (there is no manifest.json) nor that of a "
        + "Keras model (config.json and model.weights.h5); unpack it, and name the model in it")
  }

  @Test("arrays of NumPy alone have no graph")
  func arrays() throws {
    let line = try CommandLine()
    try line.folder.write(
      Data(contentsOf: URL(filePath: Fixtures.sample("probe/expected.npz"))), to: "weights.npz")
    expectError(
      try line.netconv("convert", "weights.npz", "out"), 64,
      "weights.npz: holds weights without a graph, so they cannot be run; name one with --model (inspect "
        + "--scaffold writes a first draft), or convert the weights alone with convert --weights-only"
    )
  }

  @Test("a ZIP archive that claims a negative number of entries is refused")
  func lyingArchive() throws {
    let line = try CommandLine()
    var bytes: [UInt8] = [0x50, 0x4b, 3, 4] + [UInt8](repeating: 0, count: 28)
    let record = bytes.count
    bytes += [0x50, 0x4b, 6, 6] + [UInt8](repeating: 0, count: 28)
    bytes += [UInt8](repeating: 0xff, count: 8) + [UInt8](repeating: 0, count: 16)
    bytes += [0x50, 0x4b, 6, 7, 0, 0, 0, 0, UInt8(record), 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    bytes += [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)
    try line.folder.write(bytes, to: "a.netpack")
    expectError(
      try line.netconv("inspect", "a.netpack"), 65,
      "a.netpack: is not a valid ZIP archive: its directory does not fit into the file")
  }
}
