import Foundation
import TestSupport
import Testing

/// A user's names for variables that a TensorFlow script left unnamed.
@Suite("names for TensorFlow's graphs from the command line")
struct TensorFlowNamesTests {
  /// The names of Samples/tensorflow-deep-mnist, for a graph of the same script.
  private static let sampleNames = Fixtures.sample("tensorflow-deep-mnist/renames.json")

  private static func fixture(_ name: String) -> String { Fixtures.path("tensorflow/\(name)") }

  private static let layers = ["conv1", "conv2", "fc1", "fc2"]

  private func convert(
    _ line: CommandLine, _ source: String, _ destination: String, _ options: [String]
  ) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      ["convert", source, destination, "--quiet"] + options, environment: [:],
      in: line.folder.path, wrapper: [])
  }

  @Test("the tutorial's eight variables become files under their own names, without an ending")
  func eightFiles() throws {
    let line = try CommandLine()
    let graph = try line.folder.copy(Self.fixture("graph-network-unnamed.pb"), to: "graph.pb")
    expectSuccess(
      try convert(
        line, graph, "weights", ["--rename", Self.sampleNames, "--naming", "{role}_{layer}."]))
    let files = Self.layers.flatMap { ["W_\($0)", "b_\($0)"] }
    #expect(try line.names(in: "weights/weights") == files.sorted())
    // [5, 5, 1, 3] as float32.
    #expect(try line.folder.bytes("weights/weights/W_conv1").count == 300)

    expectSuccess(try convert(line, graph, "usual", ["--rename", Self.sampleNames]))
    for layer in Self.layers {
      for role in ["W", "b"] {
        #expect(
          try line.folder.bytes("weights/weights/\(role)_\(layer)")
            == line.folder.bytes("usual/weights/\(layer)_\(role).bin"))
      }
    }
    let same = try line.netconv(
      "diff", "weights", "graph.pb", "--rename", Self.sampleNames, "--exact")
    #expect(same.status == 0, "\(same.output)\(same.errors)")
  }

  @Test(
    "a kernel gives its layer's name, whatever form the graph has",
    arguments: [
      ("deep-frozen.pb", []), ("deep-meta.meta", ["--graph-output", "probabilities"]),
      ("deep-saved-tf1", []), ("deep-saved-keras2", []),
    ])
  func forms(file: String, options: [String]) throws {
    let line = try CommandLine()
    try line.folder.write(
      "{\"conv2/kernel\": \"second/W\", \"fc1/bias\": \"third/b\"}", to: "names.json")
    let result = try NetconvProcess.run(
      ["inspect", Self.fixture(file), "--rename", "names.json", "--json"] + options,
      environment: [:], in: line.folder.path, wrapper: [])
    #expect(result.status == 0, "\(result.errors)")
    let layers = try #require(try jsonObject(result.output.utf8)["layers"] as? [[String: Any]])
    let names = layers.compactMap { $0["name"] as? String }
    // One name of a layer's two is enough.
    #expect(Set(["conv1", "second", "third", "fc2"]).isSubset(of: names), "\(names)")
    #expect(Set(["conv2", "fc1"]).isDisjoint(with: names), "\(names)")
  }

  @Test("a variable can be named by the path that inspect shows")
  func paths() throws {
    let line = try CommandLine()
    let source = Self.fixture("deep-saved-keras3")
    let path = "_all_variables/3/.ATTRIBUTES/VARIABLE_VALUE"
    try line.folder.write("{\"\(path)\": \"second/W\"}", to: "names.json")
    let result = try line.netconv("inspect", source, "--rename", "names.json", "--tensors")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.split(separator: "\n").contains {
        $0.hasPrefix("  second") && $0.hasSuffix(path)
      }, "\(result.output)")
  }

  @Test(
    "names that do not fit the graph are refused",
    arguments: [
      (
        "{\"Variable_8\": \"conv1/W\"}",
        "--rename names 'Variable_8', which is no variable of the graph; did you mean 'Variable_7'?"
      ),
      (
        "{\"Conv2D\": \"conv1/W\"}",
        "--rename names 'Conv2D', which is no variable of the graph\n"
          + (["Variable"] + (1...7).map { "Variable_\($0)" }).map { "  '\($0)'" }
          .joined(separator: "\n")
      ),
      (
        "{\"Variable\": \"conv1/W\", \"Variable_2\": \"conv1/W\"}",
        "with --rename two weights would be named 'conv1/W'"
      ),
      (
        "{\"Variable\": \"Variable_2\"}",
        "--rename calls 'Variable' 'Variable_2'; expected the layer's name, a slash and the variable's, such as "
          + "conv1/W"
      ),
      (
        "{\"Variable\": \"a/W\", \"Variable_1\": \"b/b\"}",
        "layer 'Conv2D': with --rename the variables of one layer would be 'a/W' and 'b/b'; expected the same "
          + "name before the last slash"
      ),
    ])
  func mistakes(names: String, message: String) throws {
    let line = try CommandLine()
    try line.folder.copy(Self.fixture("graph-network-unnamed.pb"), to: "graph.pb")
    try line.folder.write(names, to: "names.json")
    expectError(
      try line.netconv("convert", "graph.pb", "out", "--rename", "names.json"), 64,
      "graph.pb: \(message)")
    #expect(try !line.names().contains("out"))
  }
}

/// Messages about the inputs of a SavedModel.
@Suite("signatures of TensorFlow from the command line")
struct TensorFlowSignatureTests {
  /// A message or a text in another message; `number` is below 16.
  private func field(_ number: UInt8, _ bytes: some Collection<UInt8>) -> [UInt8] {
    var length = bytes.count
    var header = [number << 3 | 2]
    while length > 127 {
      header.append(UInt8(length & 127 | 128))
      length >>= 7
    }
    return header + [UInt8(length)] + bytes
  }

  private func end(_ number: UInt8, _ key: String, _ tensor: String) -> [UInt8] {
    field(number, field(1, key.utf8) + field(2, field(1, tensor.utf8)))
  }

  @Test("the probability of dropout in a signature is no input of the model")
  func probability() throws {
    let line = try CommandLine()
    let graph = try Data(
      contentsOf: URL(filePath: Fixtures.path("tensorflow/graph-network-unnamed.pb")))
    let signature =
      end(1, "keep_prob", "keep_prob:0") + end(1, "x", "Placeholder:0")
      + end(2, "logits", "add_3:0")
    let signatures = field(5, field(1, "serving_default".utf8) + field(2, signature))
    let meta = field(1, field(4, "serve".utf8)) + field(2, graph) + signatures
    try line.folder.write(field(2, meta), to: "saved/saved_model.pb")
    let result = try line.netconv("inspect", "saved", "--json")
    #expect(result.status == 0, "\(result.errors)")
    let inputs = try #require(try jsonObject(result.output.utf8)["inputs"] as? [[String: Any]])
    #expect(inputs.compactMap { $0["name"] as? String } == ["x"])
  }
}

/// Messages of `--naming` about file names.
@Suite("endings of files")
struct FileEndingTests {
  private static let source = Fixtures.path("tensorflow/deep.h5")

  @Test(
    "a dot behind both fields begins the ending of .bin files",
    arguments: [
      ("{role}_{layer}.dat", "W_conv1.dat"), ("{role}_{layer}.", "W_conv1"),
      ("{layer}.{role}", "conv1.W.bin"), ("{layer}_{role}.v1.raw", "conv1_W.v1.raw"),
    ])
  func endings(template: String, file: String) throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv("convert", Self.source, "out", "--naming", template, "--quiet"))
    #expect(try line.names(in: "out/weights").contains(file))
    let few = ["verify", "out", "--against", Self.source, "--limit", "50"]
    #expect(try line.netconv(few).status == 0)
    try line.flip("out/weights/\(file)", at: -1)
    let verified = try line.netconv(few)
    #expect(verified.status == 65)
    #expect(verified.errors.contains("weights/\(file)"), "\(verified.errors)")
  }

  @Test("archives and named tensors go without the ending")
  func others() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "out", "--naming", "{role}_{layer}.dat", "--formats",
        "bin,archive,safetensors", "--quiet"))
    let manifest = try jsonObject(line.folder.bytes("out/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    let places = try #require(tensors.first?["places"] as? [String: [String: Any]])
    #expect(places["bin"]?["file"] as? String == "weights/W_conv1.dat")
    #expect(places["archive"]?["tensor"] as? String == "weights/W_conv1.bin")
    #expect(places["safetensors"]?["tensor"] as? String == "W_conv1")
  }

  @Test(
    "an ending that no file gets is refused, and so is a long one",
    arguments: [
      (
        "{role}_{layer}.dat", "out", ["--formats", "npz"],
        "naming '{role}_{layer}.dat' ends in '.dat', which sets the extension of bin files, and "
          + "none are written; leave it out"
      ),
      (
        "{layer}.", "out.netpack", [],
        "naming '{layer}.' ends in a dot, which sets the extension of bin files, and none are "
          + "written; leave it out"
      ),
      (
        "{layer}_{role}.abcdefghijklmnopqrstuvwxyz0123456", "out", [],
        "naming '{layer}_{role}.abcdefghijklmnopqrstuvwxyz0123456' has an extension of more than 32 bytes after the "
          + "last dot"
      ),
    ])
  func refused(
    template: String, destination: String, options: [String], message: String
  ) throws {
    let line = try CommandLine()
    let result = try NetconvProcess.run(
      ["convert", Self.source, destination, "--naming", template] + options, environment: [:],
      in: line.folder.path, wrapper: [])
    expectError(result, 64, message)
    #expect(try line.names().isEmpty)
  }
}
