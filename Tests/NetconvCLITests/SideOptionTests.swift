import Foundation
import TestSupport
import Testing

/// Options reach whichever of two sources needs them, and printed commands work as they are.
@Suite("options of two sources")
struct SideOptionTests {
  private func line(_ names: String...) throws -> CommandLine {
    let line = try CommandLine()
    for name in names {
      let file = String(name.split(separator: "/").last ?? "")
      try line.folder.copy(Fixtures.path(name), to: file)
    }
    return line
  }

  /// Runs a command that was printed: netconv and its arguments, without quotes in them.
  private func run(_ command: String, in line: CommandLine) throws -> NetconvProcess.Result {
    let words = command.split(separator: " ").map(String.init)
    try #require(words.first == "netconv")
    return try line.netconv(Array(words.dropFirst()))
  }

  private static let meta = [
    "tensorflow/deep-meta.meta", "tensorflow/deep-meta.index",
    "tensorflow/deep-meta.data-00000-of-00001",
  ]

  @Test("a graph whose outputs have to be named is compared with what was made of it")
  func graph() throws {
    let line = try line(Self.meta[0], Self.meta[1], Self.meta[2])
    let output = ["--graph-output", "probabilities"]
    expectSuccess(try line.netconv(["convert", "deep-meta.meta", "out", "--quiet"] + output))
    for options in [[], output, ["--against-graph-output", "probabilities"]] {
      let result = try line.netconv(
        ["verify", "out", "--against", "deep-meta.meta", "--limit", "50"] + options)
      expectSuccess(result)
      #expect(result.output.contains("are within their tolerance"), "\(result.output)")
    }
    for (a, b) in [("deep-meta.meta", "out"), ("out", "deep-meta.meta")] {
      expectSuccess(try line.netconv("diff", a, b, "--quiet"))
      expectSuccess(try line.netconv("relate", a, b, "--quiet"))
    }
    // Of a copy under another name the manifest says nothing.
    for name in Self.meta {
      let file = String(name.split(separator: "/").last ?? "")
      try line.folder.copy(Fixtures.path(name), to: file.replacing("deep-meta", with: "other"))
    }
    let unknown = try line.netconv("verify", "out", "--against", "other.meta", "--limit", "50")
    #expect(unknown.status == 65)
    expectSuccess(
      try line.netconv(["verify", "out", "--against", "other.meta", "--limit", "50"] + output))
  }

  @Test("weights are compared with what was made of them and an architecture")
  func architecture() throws {
    let line = try line("tensorflow/deep.weights.h5", "tensorflow/deep.json")
    expectSuccess(
      try line.netconv(
        "convert", "deep.weights.h5", "out", "--model", "deep.json", "--quiet"))
    for option in ["--model", "--against-model"] {
      let result = try line.netconv(
        "verify", "out", "--against", "deep.weights.h5", option, "deep.json", "--limit", "50")
      expectSuccess(result)
      #expect(result.output.contains("are within their tolerance"), "\(result.output)")
    }
    expectError(
      try line.netconv("verify", "out", "--against", "out", "--model", "deep.json"), 64,
      "both hold their own architecture; leave out --model, which is for files that hold only weights"
    )
    expectError(
      try line.netconv("verify", "out", "--against", "out", "--graph-output", "x"), 64,
      "--graph-input NAME and --graph-output NAME name nodes of a TensorFlow or ONNX graph, and neither source is one"
    )
  }

  @Test("two parts of one file are compared")
  func entries() throws {
    let line = try line("pytorch/two.pt")
    for command in ["diff", "relate"] {
      let same = try line.netconv(
        command, "two.pt", "two.pt", "--entry", "model", "--b-entry", "model", "--quiet")
      expectSuccess(same)
      let other = try line.netconv(
        command, "two.pt", "two.pt", "--entry", "model", "--b-entry", "ema", "--quiet")
      #expect(other.status == 1)
      #expect(other.errors == "")
    }
    expectError(
      try line.netconv("diff", "two.pt", "two.pt", "--entry", "model", "--b-entry", "emma"), 64,
      "two.pt: --entry names 'emma', which holds no weights; there are\n  'model' (7 tensors)\n  'ema' (7 tensors)"
    )
  }

  @Test("the command that diff prints runs, with the options that the sources need")
  func printedByDiff() throws {
    let line = try line("tensorflow/deep.weights.h5", "tensorflow/deep.json")
    expectSuccess(
      try line.netconv(
        "convert", "deep.weights.h5", "out", "--model", "deep.json", "--target", "source",
        "--dtype",
        "int8", "--quiet"))
    let result = try line.netconv("diff", "deep.weights.h5", "out", "--model", "deep.json")
    #expect(result.status == 1)
    let printed = try #require(result.output.firstMatch(of: #/run: (netconv verify .*)/#)?.1)
    #expect(printed == "netconv verify out --against deep.weights.h5 --model deep.json")
    expectSuccess(try run(printed + " --limit 50", in: line))
  }

  @Test("the command that a low accuracy prints runs; a source has none to be compared with")
  func printedByVerify() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.sample("deep-mnist/deep-mnist.h5"), to: "ckpt.h5")
    expectSuccess(try line.netconv("convert", "ckpt.h5", "out", "--quiet"))
    let options = ["--limit", "50", "--min-accuracy", "1", "--scale", "0"]
    let result = try line.netconv(["verify", "out"] + options)
    #expect(result.status == 1)
    let printed = try #require(result.output.firstMatch(of: #/ {11}(netconv verify .*)/#)?.1)
    #expect(printed == "netconv verify out --against ckpt.h5")
    expectSuccess(try run(printed + " --limit 50", in: line))
    let source = try line.netconv(["verify", "ckpt.h5"] + options)
    // Of a source that lies elsewhere only the name is known.
    try FileManager.default.removeItem(atPath: line.folder.file("ckpt.h5"))
    let elsewhere = try line.netconv(["verify", "out"] + options)
    #expect(elsewhere.status == 1)
    #expect(elsewhere.output.contains("netconv verify out --against .../ckpt.h5"))
    #expect(source.status == 1)
    #expect(!source.output.contains("--against"), "\(source.output)")
  }

  @Test("a checkpoint is compared by the graph beside it, as convert read it")
  func checkpoint() throws {
    let line = try CommandLine()
    // The folder, and the name by which TensorFlow saves: neither is that of a file.
    try FileManager.default.createDirectory(
      atPath: line.folder.file("ck"), withIntermediateDirectories: true)
    for name in Self.meta {
      let file = String(name.split(separator: "/").last ?? "")
      try line.folder.copy(Fixtures.path(name), to: "ck/\(file)")
    }
    try line.folder.write(
      "model_checkpoint_path: \"deep-meta\"\nall_model_checkpoint_paths: \"deep-meta\"\n",
      to: "ck/checkpoint")
    for source in ["ck", "ck/deep-meta", "ck/deep-meta.index"] {
      expectSuccess(
        try line.netconv(
          "convert", source, "out", "--graph-output", "probabilities", "--force", "--quiet"))
      for other in ["ck", "ck/deep-meta", "ck/deep-meta.index", "ck/deep-meta.meta"] {
        expectSuccess(try line.netconv("diff", other, "out", "--quiet"))
        expectSuccess(try line.netconv("diff", "out", other, "--quiet"))
      }
      let result = try line.netconv("verify", "out", "--against", source, "--limit", "50")
      expectSuccess(result)
      #expect(result.output.contains("are within their tolerance"), "\(result.output)")
    }
  }

  @Test("where the graph beside a checkpoint cannot be read, diff says why")
  func unreadCheckpoint() throws {
    let line = try line(Self.meta[0], Self.meta[1], Self.meta[2])
    try line.folder.copy(Fixtures.path("tensorflow/deep.h5"), to: "deep.h5")
    let result = try line.netconv("diff", "deep-meta", "deep.h5")
    #expect(
      result.output.contains(
        "note: the graph beside the checkpoint A was not read: the graph also trains, so that it does not show "
          + "what its outputs are; name them with --graph-output NAME"), "\(result.output)")
  }

  @Test("diff prints no command that fails: verify takes networks with the same inputs")
  func otherInputs() throws {
    let line = try CommandLine()
    for (name, side, input, function) in [
      ("a", 6, "image", "tanh"), ("b", 6, "picture", "relu"), ("c", 5, "image", "relu"),
      ("d", 6, "image", "relu"),
    ] {
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "\(name)", "outputs": ["act"],
         "inputs": [{"name": "\(input)", "shape": [\(side), 4, 3]}],
         "layers": [{"name": "act", "operator": "Activation", "inputs": ["\(input)"],
          "attributes": {"function": "\(function)"}}]}
        """, to: "\(name)/model.json")
    }
    for (other, isPrinted) in [("b", false), ("c", false), ("d", true)] {
      let result = try line.netconv("diff", "a", other, "--fold")
      #expect(result.status == 1)
      #expect(result.output.contains("netconv verify") == isPrinted, "\(result.output)")
    }
    #expect(try line.netconv("verify", "d", "--against", "a").status == 1)
  }
}
