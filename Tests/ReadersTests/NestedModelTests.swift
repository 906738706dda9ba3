import ModelIR
import Readers
import TestSupport
import Testing

@Suite("Models in models")
struct NestedModelTests {
  @Test("layers are called after the models they lie in", arguments: ["keras2", "keras3"])
  func names(keras: String) throws {
    let model = try ReaderRegistry.read(Fixtures.path("keras/\(keras)-nested.h5")).model
    #expect(model.layers.map(\.name) == ["body/conv", "body/flatten", "fc"])
    #expect(model.layers[2].inputs == ["body/flatten"])
    #expect(model.tensors[2].storedLayout.description == "(HWI)O")
  }

  /// A chain of models, each of which uses the previous one twice.
  private func chain(_ length: Int) -> String {
    let inner = """
      "config": {"name": "NAME", "layers": [
        {"class_name": "InputLayer", "config": {"name": "a", "batch_input_shape": [null, 2]}},
        {"class_name": "InputLayer", "config": {"name": "b", "batch_input_shape": [null, 2]}},
        {"class_name": "Add", "config": {"name": "add"}, "inbound_nodes": [[["a", 0, 0], ["b", 0, 0]]]}],
        "input_layers": [["a", 0, 0], ["b", 0, 0]], "output_layers": [["add", 0, 0]]}
      """
    var layers = [
      #"{"class_name": "InputLayer", "config": {"name": "m0", "batch_input_shape": [null, 2]}}"#
    ]
    for index in 1...length {
      let source = "[\"m\(index - 1)\", 0, 0]"
      layers.append(
        "{\"class_name\": \"Functional\", \(inner.replacing("NAME", with: "m\(index)")), "
          + "\"inbound_nodes\": [[\(source), \(source)]]}")
    }
    return """
      {"class_name": "Functional", "config": {"name": "chain",
        "layers": [\(layers.joined(separator: ", "))],
        "input_layers": [["m0", 0, 0]], "output_layers": [["m\(length)", 0, 0]]}}
      """
  }

  @Test("a chain that reads each model twice costs what it is long, not two to its power")
  func chains() throws {
    let folder = try TemporaryFolder()
    try folder.write(chain(60), to: "chain.json")
    let source = try ReaderRegistry.read(
      Fixtures.path("keras/keras2-weights-only.h5"),
      ReaderOptions(architecture: Architecture(folder.file("chain.json"))))
    #expect(try source.model.layers.count == 60)
    #expect(try source.model.outputs == ["m60/add"])
  }

  @Test("a model that reads itself is refused")
  func cycle() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      chain(2).replacing(
        #"[[["m0", 0, 0], ["m0", 0, 0]]]"#, with: #"[[["m2", 0, 0], ["m2", 0, 0]]]"#),
      to: "cycle.json")
    let error = try #require(throws: NetconvError.self) {
      try ReaderRegistry.read(
        Fixtures.path("keras/keras2-weights-only.h5"),
        ReaderOptions(architecture: Architecture(folder.file("cycle.json"))))
    }
    #expect(error.message == "the model 'm1' reads its own output")
  }

  /// The error of reading an architecture.
  private func error(_ architecture: String) throws -> NetconvError {
    let folder = try TemporaryFolder()
    try folder.write(architecture, to: "model.json")
    return try #require(throws: NetconvError.self) {
      try ReaderRegistry.read(
        Fixtures.path("keras/keras2-weights-only.h5"),
        ReaderOptions(architecture: Architecture(folder.file("model.json"))))
    }
  }

  /// A model with an input, `layers`, and the layer `output` as its output.
  private func functional(_ name: String, _ layers: String, output: String) -> String {
    """
    "class_name": "Functional", "name": "\(name)", "config": {"name": "\(name)", "layers": [
      {"class_name": "InputLayer", "config": {"name": "i", "batch_input_shape": [null, 4]}}, \(layers)],
      "input_layers": [["i", 0, 0]], "output_layers": [\(output)]}
    """
  }

  private let dropout =
    #"{"class_name": "Dropout", "config": {"name": "d"}, "inbound_nodes": [[["i", 0, 0]]]}"#

  @Test(
    "models that each call the next one twice are refused before they fill the memory",
    arguments: [
      // A layer at the bottom, or one that is never called: then it is the models that multiply.
      #"{"class_name": "Dropout", "config": {"name": "s"}, "inbound_nodes": [[["i", 0, 0]]]}"#,
      #"{"class_name": "Dropout", "config": {"name": "s"}, "inbound_nodes": []}"#,
    ])
  func multiplyingModels(bottom: String) throws {
    var model = functional("s", bottom, output: #"["s", 0, 0]"#)
    for _ in 0..<28 {
      let calls = #"[["i", 0, 0]], [["s", 0, 0]]"#
      model = functional(
        "s", "{\(model), \"inbound_nodes\": [\(calls)]}", output: #"["s", 1, 0]"#)
    }
    #expect(
      try error("{\(model)}").message
        == "the nested models, expanded, call layers more than 100000 times; call fewer "
        + "models in models, or save them one by one")
  }

  /// Models that each use the previous one.
  private func row(_ indices: [Int]) -> String {
    let inner = functional("s", dropout, output: #"["d", 0, 0]"#)
    let layers = indices.map { index in
      let source = index == 0 ? "i" : "s\(index - 1)"
      return "{" + inner.replacing(#""s""#, with: "\"s\(index)\"")
        + ", \"inbound_nodes\": [[[\"\(source)\", 0, 0]]]}"
    }
    let last = indices.max() ?? 0
    return "{" + functional("m", layers.joined(separator: ", "), output: "[\"s\(last)\", 0, 0]")
      + "}"
  }

  @Test("a long row of models that is listed last to first is refused")
  func reversedRow() throws {
    let error = try error(row((0..<20_000).reversed()))
    #expect(
      error.message
        == "reads a model that reads a model, and so on more than 256 times, and they are listed last "
        + "to first; Keras lists them in the order in which they are computed, so save the model again"
    )
  }

  @Test("a long row of models in the order in which they are computed is read")
  func longRow() throws {
    let folder = try TemporaryFolder()
    try folder.write(row(Array(0..<20_000)), to: "row.json")
    let source = try ReaderRegistry.read(
      Fixtures.path("keras/keras2-weights-only.h5"),
      ReaderOptions(architecture: Architecture(folder.file("row.json"))))
    #expect(try source.model.layers.count == 20_000)
    #expect(try source.model.outputs == ["s19999/d"])
  }

  @Test(
    "the number of a call or of an output that cannot be one is refused",
    arguments: [
      ("-9223372036854775808", "0"), ("1e300", "0"), ("0.5", "0"), ("1000000", "0"), ("0", "-1"),
    ])
  func numbers(node: String, tensor: String) throws {
    let second = dropout.replacing(#""i", 0, 0"#, with: "\"s\", \(node), \(tensor)")
    let inner = functional("s", dropout, output: #"["d", 0, 0]"#)
    let model = functional(
      "m", "{\(inner), \"inbound_nodes\": [[[\"i\", 0, 0]]]}, \(second)",
      output: #"["d", 0, 0]"#)
    let error = try error("{\(model)}")
    #expect(error.layer == "d")
    #expect(error.message.hasPrefix("the configuration refers to output "))
    #expect(
      error.message.hasSuffix(
        " of 's', which is invalid; both are integers from 0 to 999999"))
  }

  @Test("calls that are no list are refused")
  func wrongCalls() throws {
    let model = functional(
      "m", dropout.replacing(#"[[["i", 0, 0]]]"#, with: #""i""#), output: #"["d", 0, 0]"#)
    let error = try error("{\(model)}")
    #expect(error.layer == "d")
    #expect(error.message == #"inbound_nodes is "i", expected a list of calls"#)
  }
}
