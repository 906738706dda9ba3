import Foundation
import TestSupport
import Testing

/// Without escaping, names from a file could clear the terminal, set its title, or hide text.
@Suite("Control characters of a source reach no terminal")
struct TerminalTests {
  /// Turns the text red and sets the title of the window.
  private let control = "\u{1b}[31mred\u{1b}]0;title\u{7}"
  /// The same as JSON.
  private let json = #"\u001b[31mred\u001b]0;title\u0007"#
  /// The same in messages.
  private let shown = #"\u{1b}[31mred\u{1b}]0;title\u{7}"#

  private func document(
    name: String = "m", input: String = "x", layer: String = "y", more: String = ""
  ) -> String {
    """
    {"format": "netconv-model", "version": 1, "name": "\(name)",
     "inputs": [{"name": "\(input)", "shape": [4]}], "outputs": ["\(layer)"],
     "layers": [{"name": "\(layer)", "operator": "Activation", "inputs": ["\(input)"]\(more)}]}
    """
  }

  private func inspect(_ document: String) throws -> NetconvProcess.Result {
    let line = try CommandLine()
    try line.folder.write(document, to: "blobs/model.json")
    return try line.netconv("inspect", "blobs", "--tensors")
  }

  @Test("names of the model, of layers, inputs and outputs")
  func names() throws {
    let result = try inspect(
      document(
        name: json, input: "x" + json, layer: "y" + json,
        more: #", "attributes": {"function": "relu"}"#))
    #expect(result.status == 0)
    #expect(!result.output.contains(control) && !result.output.contains("\u{1b}"))
    #expect(result.output.contains("model '\(shown)' (raw-blobs)"))
    #expect(result.output.contains("outputs: y\(shown)\n"))
  }

  @Test("keys of a document")
  func keys() throws {
    let unknown = try inspect(document(more: ", \"attributes\": {\"f\(json)\": 1}"))
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("unknown key 'f\(shown)'"))
    #expect(!unknown.errors.contains("\u{1b}"))
  }

  @Test("files that a document names")
  func files() throws {
    let parameter = """
      , "attributes": {"function": "relu"}, "parameters": [{"role": "kernel", "file": "\(json)",
      "dtype": "float32", "layout": "IO"}]
      """
    let result = try inspect(document(more: parameter))
    #expect(result.status == 66)
    #expect(!result.errors.contains("\u{1b}"))
    #expect(result.errors.contains("blobs/\(shown): "))
  }

  @Test("settings of Keras layers")
  func settings() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-weights-only.h5"), to: "weights.h5")
    try line.folder.write(
      """
      {"class_name": "Sequential", "config": {"name": "net", "layers": [
        {"class_name": "Dense", "config": {"name": "fc", "batch_input_shape": [null, 4],
         "units": "\(json)"}}]}}
      """, to: "model.json")
    let result = try line.netconv("convert", "weights.h5", "out", "--model", "model.json")
    expectError(
      result, 65,
      """
      model.json: 1 layer is not supported; convert --weights-only writes the tensors without a graph
        'fc' (Dense), layer 1 of 1: units is "\(shown)", expected a whole number
      """)
  }

  /// Requires a terminal with 60 columns; `script` of util-linux creates one.
  @Test(
    "tables fit the terminal, and in a pipe nothing is cut",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "there is no script"))
  func width() throws {
    let line = try CommandLine()
    let name = "block_3/" + String(repeating: "expansion_", count: 15) + "conv"
    try line.folder.write(
      document(layer: name, more: #", "attributes": {"function": "relu"}"#), to: "m/model.json")
    let piped = try line.netconv("inspect", "m")
    expectSuccess(piped)
    #expect(piped.output.contains("\n  \(name)  Activation  (None, 4)"))
    let shown = try line.shell(
      #"exec script -qec "stty cols 60; exec $1 inspect m" /dev/null"#)
    #expect(shown.status == 0, "\(shown.output)")
    // A terminal ends lines with two characters, which are one in Swift.
    let rows = shown.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("  ") }
    #expect(rows.count == 4)
    #expect(rows.allSatisfy { $0.count <= 60 }, "\(rows)")
    // The beginning and the end of the name, and all of the numbers.
    #expect(rows.last == "  block_…n_conv  Activation  (None, 4)              0  x")
  }

  @Test(
    "unlike names stay unlike where a terminal has 80 columns, and --wide cuts none",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "there is no script"))
  func unlikeNames() throws {
    let line = try CommandLine()
    let names = (1...2).map { "block_\($0)/" + String(repeating: "expansion_", count: 15) + "conv" }
    let layers = [("x", names[0]), (names[0], names[1])].map { input, name in
      #"{"name": "\#(name)", "operator": "Flatten", "inputs": ["\#(input)"]}"#
    }
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m", "inputs": [{"name": "x", "shape": [4]}],
       "outputs": ["\(names[1])"], "layers": [\(layers.joined(separator: ", "))]}
      """, to: "m/model.json")
    func rows(_ options: String) throws -> [Substring] {
      let shown = try line.shell(
        #"exec script -qec "stty cols 80; exec $1 inspect m \#(options)" /dev/null"#)
      #expect(shown.status == 0, "\(shown.output)")
      return shown.output.split(whereSeparator: \.isNewline).filter { $0.contains("Flatten") }
    }
    let cut = try rows("").compactMap { $0.split(separator: " ").first }
    #expect(cut.count == 2 && Set(cut).count == 2 && cut.allSatisfy { $0.contains("…") }, "\(cut)")
    #expect(
      try rows("--wide").compactMap { $0.split(separator: " ").first }.map(String.init) == names)
  }

  @Test(
    "paths, of what is read and of what is written",
    arguments: [
      ["inspect", "IN"], ["inspect", "IN", "--tensors"], ["convert", "IN", "OUT"],
      ["convert", "IN", "OUT", "--dry-run"], ["convert", "IN", "IN", "--into", "OUT"],
      ["verify", "IN"], ["verify", "IN", "--against", "IN"], ["diff", "IN", "IN"],
      ["relate", "IN", "IN"], ["run", "IN", "--input", "x.npy", "--output", "OUT.npz"],
      ["probe", "OUT"], ["inspect", "OUT"], ["emit", "IN", "--language", "dsl"],
      ["emit", "IN", "--language", "mpscnn", "--output", "OUT"],
    ])
  func paths(verb: [String]) throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try FileManager.default.moveItem(
      atPath: line.folder.file("blobs"), toPath: line.folder.file("in" + control))
    try line.folder.write(npy("<f4", "(1, 6, 5, 2)", Array(repeating: 0, count: 240)), to: "x.npy")
    let result = try line.netconv(
      verb.map {
        $0.replacing("IN", with: "in" + control).replacing("OUT", with: "out" + control)
      })
    // What is not there and images that do not fit are refused, by their paths.
    #expect([0, 1, 64, 66].contains(result.status), "\(verb)")
    #expect(!(result.output + result.errors).contains("\u{1b}"), "\(verb)")
    // Verbs that take the path at all say it.
    #expect((result.output + result.errors).contains(shown) || verb[0] == "emit", "\(verb)")
  }
}
