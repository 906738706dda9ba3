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

  /// A chain of models, each of which reads the one before twice.
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
      ReaderOptions(architecture: folder.file("chain.json")))
    #expect(source.model.layers.count == 60)
    #expect(source.model.outputs == ["m60/add"])
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
        ReaderOptions(architecture: folder.file("cycle.json")))
    }
    #expect(error.message == "the model 'm2' reads its own output")
  }
}
