import Foundation
import TestSupport
import Testing

@Suite("TensorFlow checkpoints on the command line")
struct CheckpointCommandTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("tensorflow/\(name)") }

  private func line(_ names: String...) throws -> CommandLine {
    let line = try CommandLine()
    for name in names {
      try line.folder.copy(Self.fixture(name), to: (name as NSString).lastPathComponent)
    }
    return line
  }

  @Test(
    "a checkpoint with an architecture is the Keras file, on either side",
    arguments: ["deep-v1.ckpt", "deep-v2.ckpt", "deep-meta.index"])
  func equal(name: String) throws {
    let line = try CommandLine()
    for (a, b) in [("deep.h5", name), (name, "deep.h5")] {
      let result = try line.netconv(
        "diff", Self.fixture(a), Self.fixture(b), "--model", Self.fixture("deep.json"), "--exact")
      #expect(result.status == ExitCode(0), "\(result.output)\(result.errors)")
      #expect(result.output.contains("equal: 8 equal; the graphs are equal"))
    }
  }

  @Test("an architecture, or names, that neither side needs are refused")
  func neither() throws {
    let line = try line("deep.h5", "deep.json")
    expectError(
      try line.netconv("diff", "deep.h5", "deep.h5", "--model", "deep.json"), 64,
      "both hold their own architecture; leave out --model, which is for files that hold only weights"
    )
    try line.folder.write("{\"a\": \"b\"}", to: "names.json")
    expectError(
      try line.netconv("diff", "deep.h5", "deep.h5", "--rename", "names.json"), 64,
      "--rename names 'a', which is not a weight of either")
    expectError(
      try line.netconv("inspect", "deep.h5", "--rename", "names.json"), 64,
      "deep.h5: holds no variables to rename; leave out --rename, which is for TensorFlow"
    )
  }

  @Test("a damaged tensor is named, by conversion and verification, and nothing is written")
  func damaged() throws {
    let line = try line(
      "deep-v2.ckpt.index", "deep-v2.ckpt.data-00000-of-00001", "deep-v1.ckpt", "deep.json")
    try line.flip("deep-v2.ckpt.data-00000-of-00001", at: 5)
    try line.flip("deep-v1.ckpt", at: 1000)
    for (name, message) in [
      (
        "deep-v2.ckpt.index",
        "deep-v2.ckpt.data-00000-of-00001: tensor 'conv1/bias': does not match its checksum; the file is damaged"
      ),
      (
        "deep-v1.ckpt",
        "deep-v1.ckpt: the block at byte 0 does not match its checksum; the file is damaged"
      ),
    ] {
      expectError(
        try line.netconv("convert", name, "out", "--weights-only", "--quiet"), 65, message)
      expectError(
        try line.netconv("convert", name, "out", "--model", "deep.json"), 65, message)
      expectError(try line.netconv("verify", name, "--model", "deep.json"), 65, message)
    }
    #expect(try !line.names().contains("out"))
  }

  @Test("names make layers of variables that have none, and wrong ones are refused")
  func renames() throws {
    let line = try line(
      "v2-plain/model.ckpt-120.index", "v2-plain/model.ckpt-120.data-00000-of-00001")
    func inspect(_ names: String) throws -> NetconvProcess.Result {
      try line.folder.write(names, to: "names.json")
      return try line.netconv(
        "inspect", "model.ckpt-120", "--rename", "names.json", "--tensors")
    }
    let renamed = try inspect("{\"conv1/W\": \"first/kernel\", \"conv1/b\": \"first/bias\"}")
    #expect(renamed.status == ExitCode(0))
    #expect(
      renamed.output.contains("  first  kernel  float32  PQRS    (3, 2, 1, 4)   96 B  conv1/W"))
    for (names, message) in [
      (
        "{\"conv1/w\": \"x\"}",
        "model.ckpt-120: --rename names 'conv1/w', which is not a weight of the checkpoint; did you mean 'conv1/W'?"
      ),
      (
        "{\"global_step\": \"x\"}",
        "model.ckpt-120: --rename names 'global_step', which is left out: it is one of the counters"
      ),
      (
        "{\"conv1/W\": \"fc1/W\"}",
        "model.ckpt-120: with --rename two weights would be named 'fc1/W'"
      ),
      (
        "[]",
        "names.json: is not a JSON object of names, such as {\"Variable\": \"conv1/kernel\"}"
      ),
      ("{\"a\": 1}", "names.json: 'a' is 1, expected a non-empty name"),
    ] {
      expectError(try inspect(names), 64, message)
    }
  }

  @Test("what an architecture has and the checkpoint has not is named, and the other way round")
  func misfits() throws {
    let line = try line(
      "v2-plain/model.ckpt-120.index", "v2-plain/model.ckpt-120.data-00000-of-00001", "deep.json")
    let result = try line.netconv("convert", "model.ckpt-120", "out", "--model", "deep.json")
    #expect(result.status == ExitCode(65))
    #expect(result.errors.contains("layer 'conv2': the weight 'kernel' is missing"))
    #expect(try !line.names().contains("out"))
  }
}
