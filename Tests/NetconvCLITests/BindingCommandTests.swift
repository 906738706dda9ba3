import Foundation
import TestSupport
import Testing

/// Weights without a graph, and a graph for them, on the command line.
@Suite struct BindingCommandTests {
  private func line(_ sample: String) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.sample(sample), to: ".")
    return line
  }

  @Test(
    arguments: [
      ("pytorch-lenet", "lenet.pt", "0.9927 (9,927 right", 8),
      ("pytorch-resnet", "resnet.pt", "0.9913 (9,913 right", 47),
    ])
  func `networks of PyTorch have PyTorch's accuracy and its activations, in any layout`(
    sample: String, weights: String, accuracy: String, count: Int
  ) throws {
    let line = try CommandLine()
    func path(_ name: String) -> String { Fixtures.sample("\(sample)/\(name)") }
    let note =
      "netconv: \(count) tensors are bound to the graph of 'model.json': \(count) by the names in the "
      + "description; their layouts are those of torch (--verbose lists them)\n"
    let whole = try line.netconv("verify", path(weights), "--model", path("model.json"))
    #expect(whole.status == 0)
    #expect(whole.errors == note)
    #expect(whole.output.contains("accuracy   \(accuracy)"), "\(whole.output)")
    for target in ["mps", "mlx", "tensorflow"] {
      let converted = try line.netconv(
        "convert", path(weights), target, "--model", path("model.json"), "--target", target)
      #expect(converted.status == 0)
      #expect(converted.errors.hasPrefix(note), "\(converted.errors)")
      let result = try line.netconv(
        "verify", target, "--reference", path("activations.npz"))
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains(" are within their tolerance\n"), "\(result.output)")
      expectSuccess(
        try line.netconv(
          "verify", target, "--limit", "200", "--min-accuracy", "0.98", "--json", "--quiet"))
    }
  }

  @Test func `a draft names its questions, and is refused until they are answered`() throws {
    let line = try line("pytorch-lenet")
    let draft = try line.netconv("inspect", "lenet.pt", "--scaffold")
    #expect(draft.status == 0)
    #expect(draft.errors == "netconv: 12 questions are open; the key \"scaffold\" lists them\n")
    try line.folder.write(draft.output, to: "draft.json")
    let keys =
      "'inputs[0].shape[0]', 'inputs[0].shape[1]', 'layers[0].attributes.activation', "
      + "'layers[0].attributes.padding', 'layers[0].attributes.strides', 'layers[1].attributes.poolSize', "
      + "'layers[2].attributes.activation', 'layers[2].attributes.padding', 'layers[2].attributes.strides', "
      + "'layers[3].attributes.poolSize', 'layers[5].attributes.activation', 'layers[6].attributes.activation'"
    expectError(
      try line.netconv("convert", "lenet.pt", "out", "--model", "draft.json"), 65,
      "draft.json: 12 questions are open: replace \"?\" with a value at \(keys)")
    var text = draft.output
    for answer in [
      "28", "28", "[1, 1]", "\"same\"", "\"relu\"", "[2, 2]", "[1, 1]", "\"valid\"", "\"relu\"",
      "[2, 2]", "\"relu\"", "\"linear\"",
    ] {
      text.replace("\"?\"", with: answer, maxReplacements: 1)
    }
    try line.folder.write(text, to: "answered.json")
    #expect(text == String(decoding: try line.folder.bytes("model.json"), as: UTF8.self))
    let quiet = try line.netconv(
      "verify", "lenet.pt", "--model", "answered.json", "--quiet", "--limit", "500",
      "--min-accuracy", "0.98")
    expectSuccess(quiet)
  }

  @Test func `weights without a graph say how one is named`() throws {
    let line = try line("pytorch-lenet")
    for verb in [["verify", "lenet.pt"], ["convert", "lenet.pt", "out"], ["emit", "lenet.pt"]] {
      expectError(
        try line.netconv(verb), 64,
        "lenet.pt: holds weights without a graph, so they cannot be run; name one with --model (inspect "
          + "--scaffold writes a first draft), or convert the weights alone with convert --weights-only"
      )
    }
  }

  @Test(
    arguments: [
      (
        ["verify", "lenet.pt", "--bind", "a=b"], 64,
        "--bind needs --model FILE"
      ),
      (["verify", "lenet.pt", "--convention", "mlx"], 64, "--convention needs --model FILE"),
      (["inspect", "lenet.pt", "--convention", "mlx"], 64, "--convention needs --model FILE"),
      (
        ["inspect", "lenet.pt", "--scaffold", "--entry", "model"], 64,
        "--scaffold prints a model.json and nothing else; leave out --entry"
      ),
      (
        ["verify", "lenet.pt", "--goldens", "--entry", "model"], 64,
        "--goldens has its own inputs; leave out --entry"
      ),
      (
        ["inspect", "lenet.pt", "--scaffold", "--json"], 64,
        "--scaffold prints a model.json and nothing else; leave out --json"
      ),
    ] as [([String], Int32, String)])
  func `options that mean nothing are refused`(
    arguments: [String], status: Int32, text: String
  ) throws {
    let result = try line("pytorch-lenet").netconv(arguments)
    #expect(result.status == ExitCode(status))
    #expect(result.errors.hasPrefix("netconv: error: \(text)\n"), "\(result.errors)")
  }

  @Test(
    arguments: [
      (
        ["--bind", "convs.{n}=conv{#}"], 64,
        "lenet.pt: the rule 'convs.{n}=conv{#}' matches no tensor"
      ),
      (
        ["--bind", "features.{n}=conv{#}"], 64,
        "lenet.pt: the rule 'features.{n}=conv{#}' refers to 'conv1', which the graph does not have"
      ),
      (["--convention", "caffe"], 64, "lenet.pt: there is no convention 'caffe'"),
    ] as [([String], Int32, String)])
  func `what is said of tensors has to be true of them`(
    options: [String], status: Int32, text: String
  ) throws {
    let line = try line("pytorch-lenet")
    let result = try line.netconv(["verify", "lenet.pt", "--model", "model.json"] + options)
    #expect(result.status == ExitCode(status))
    #expect(result.errors.hasPrefix("netconv: error: \(text)"), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test func `a graph of another network is refused, and one is not needed twice`() throws {
    let line = try line("pytorch-lenet")
    let other = try line.netconv(
      "verify", "lenet.pt", "--model", Fixtures.sample("pytorch-resnet/model.json"))
    #expect(other.status == 65)
    #expect(
      other.errors.contains("the source has no tensor 'conv1.weight'"), "\(other.errors)")
    expectSuccess(
      try line.netconv("convert", "lenet.pt", "out", "--model", "model.json", "--quiet"))
    expectError(
      try line.netconv("verify", "out", "--model", "model.json"), 64,
      "out: holds its own architecture; leave out --model, which is for files "
        + "that hold only weights")
    expectError(
      try line.netconv("inspect", "out", "--scaffold"), 64,
      "out: has a graph and needs no description")
  }

  @Test func `a kernel that is turned is told by its shape, and swapped places by their values`()
    throws
  {
    // The mistake that netconv is for: a kernel flattened in the other order runs, and predicts nonsense.
    let line = try line("pytorch-lenet")
    try line.replace("\"O(IHW)\"", with: "\"O(HWI)\"", in: "model.json")
    let result = try line.netconv(
      "verify", "lenet.pt", "--model", "model.json", "--reference", "activations.npz")
    #expect(result.status == 1)
    #expect(result.output.contains("classifier.0"), "\(result.output)")
  }
}
