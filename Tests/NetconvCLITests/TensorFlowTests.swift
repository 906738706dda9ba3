import Foundation
import TestSupport
import Testing

/// One network in the formats of every program, and the commands of a user.
@Suite("TensorFlow's files from the command line")
struct TensorFlowTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("tensorflow/\(name)") }

  /// The network in all formats with a graph, with the options that each needs.
  static let forms: [(file: String, options: [String])] = [
    ("deep.keras", []), ("deep-frozen.pb", []), ("deep-frozen-v2.pb", []),
    ("deep-saved-tf1", []), ("deep-saved-keras2", []), ("deep-saved-keras3", []),
    ("deep-meta.meta", ["--graph-output", "probabilities"]),
    ("deep-v1.ckpt", ["--model", "deep.json"]), ("deep-v2.ckpt.index", ["--model", "deep.json"]),
    ("deep.weights.h5", ["--model", "deep.json"]),
  ]

  @Test("one network in the forms of all writers: diff exits with 0", arguments: forms)
  func oneNetwork(form: (file: String, options: [String])) throws {
    let line = try CommandLine()
    let options = form.options.map { $0.hasPrefix("deep") ? Self.fixture($0) : $0 }
    let result = try NetconvProcess.run(
      ["diff", Self.fixture(form.file), Self.fixture("deep.h5"), "--exact"] + options,
      environment: [:], in: line.folder.path, wrapper: [])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("8 equal; the graphs are equal"))
  }

  /// Arguments with a mistake, and the resulting message.
  static let mistakes: [(arguments: [String], status: ExitCode, text: String)] = [
    (
      ["inspect", "graph-dense.pb", "--graph-output", "fc"], 64,
      "graph-dense.pb: the graph has no node 'fc'"
    ),
    (
      ["run", "graph-dense.pb", "--input", "graph-dense.npz", "--graph-input", "Placeholder=?x0"],
      64,
      "graph-dense.pb: --graph-input NAME is 'Placeholder=?x0'; expected a shape behind the last '=', such as "
        + "name=?x28x28x1, with the batch first and ? for what is open"
    ),
    (
      ["inspect", "deep.h5", "--graph-output", "fc2"], 64,
      "deep.h5: --graph-input NAME and --graph-output NAME name nodes of a TensorFlow or ONNX graph, and this is not one"
    ),
    (
      ["convert", "deep-meta.meta", "out"], 65,
      "deep-meta.meta: the graph also trains, so that it does not show what its outputs are; name them with "
        + "--graph-output NAME"
    ),
    (
      ["convert", "saved-no-signature", "out"], 65,
      "saved-no-signature/saved_model.pb: has no signature, so that nothing says what is fed; save it with one, by "
        + "tf.saved_model.save(…, signatures=…) or model.export(…)"
    ),
  ]

  @Test("mistakes are named", arguments: mistakes)
  func mistake(typed: (arguments: [String], status: ExitCode, text: String)) throws {
    let result = try NetconvProcess.run(
      typed.arguments, environment: [:], in: Self.fixture(""), wrapper: [])
    #expect(result.status == typed.status)
    #expect(result.errors.hasPrefix("netconv: error: " + typed.text), "\(result.errors)")
  }
}
