import ModelIR
import Readers
import TestSupport
import Testing

/// Graphs of sequences that netconv does not read; each is refused by name before any weight is looked for.
@Suite("What cannot be honoured of sequences is refused")
struct KerasSequenceRefusalTests {
  /// A layer: its class, name, settings and inputs.
  private struct Entry {
    let className: String
    let name: String
    var settings = ""
    var inputs: [String] = []

    func text(ofKeras3: Bool) -> String {
      let nodes = inputs.map { #"["\#($0)", 0, 0, {}]"# }.joined(separator: ", ")
      let arguments = inputs.map {
        #"{"class_name": "__keras_tensor__", "config": {"keras_history": ["\#($0)", 0, 0]}}"#
      }.joined(separator: ", ")
      let call =
        inputs.isEmpty
        ? "" : ofKeras3 ? #"{"args": [[\#(arguments)]], "kwargs": {}}"# : "[\(nodes)]"
      return """
        {"class_name": "\(className)", "name": "\(name)", "config": {"name": "\(name)", "trainable": true\
        \(settings.isEmpty ? "" : ", " + settings)}, "inbound_nodes": [\(call)]}
        """
    }
  }

  private static let words = Entry(
    className: "InputLayer", name: "words", settings: #""batch_shape": [null, 6]"#)
  private static let steps = Entry(
    className: "InputLayer", name: "steps", settings: #""batch_shape": [null, 6, 3]"#)
  private static let masked = Entry(
    className: "Embedding", name: "masked",
    settings: #""input_dim": 5, "output_dim": 3, "mask_zero": true"#, inputs: ["words"])
  private static let zeroless = Entry(
    className: "Masking", name: "other", settings: #""mask_value": 0"#, inputs: ["steps"])

  private func refusal(_ entries: [Entry], output: String, ofKeras3: Bool = false) throws -> String
  {
    let folder = try TemporaryFolder()
    let layers = entries.map { $0.text(ofKeras3: ofKeras3) }.joined(separator: ",\n")
    try folder.write(
      """
      {"class_name": "Functional", "keras_version": "\(ofKeras3 ? 3 : 2).1.0",
       "config": {"name": "m", "layers": [\(layers)],
        "input_layers": [], "output_layers": [["\(output)", 0, 0]]}}
      """, to: "model.json")
    do throws(NetconvError) {
      _ = try ReaderRegistry.read(
        Fixtures.path("keras/keras2-weights-only.h5"),
        ReaderOptions(architecture: Architecture(folder.file("model.json"))))
      return ""
    } catch {
      #expect(error.kind == .badData)
      return error.description.replacing(folder.path + "/", with: "")
    }
  }

  private func gru(_ inputs: [String], _ settings: String = "") -> Entry {
    Entry(
      className: "GRU", name: "gru",
      settings: #""units": 3, "reset_after": true"# + settings, inputs: inputs)
  }

  @Test("masks that differ are refused of Keras 3 where one of them is used")
  func unclearMasks() throws {
    let sum = Entry(className: "Add", name: "sum", inputs: ["masked", "other"])
    let entries = [Self.words, Self.steps, Self.masked, Self.zeroless, sum]
    #expect(
      try refusal(entries + [gru(["sum"])], output: "gru", ofKeras3: true)
        == "model.json: layer 'gru': the inputs have different masks, or only some have one, and "
        + "versions of Keras treat them differently")
    // Nobody uses it: what is missing then is a weight.
    #expect(
      try refusal(entries, output: "sum", ofKeras3: true)
        .contains("the weight 'embeddings' is missing"))
  }

  @Test(
    "combinations of masked values that leave out what is masked, since Keras 3, are refused",
    arguments: ["Multiply", "Maximum", "Minimum"])
  func products(className: String) throws {
    let product = Entry(className: className, name: "product", inputs: ["masked", "masked"])
    let entries = [Self.words, Self.masked, product]
    #expect(
      try refusal(entries, output: "product", ofKeras3: true)
        == "model.json: layer 'product': \(className) with a mask is not read")
    #expect(try refusal(entries, output: "product").contains("the weight 'embeddings' is missing"))
  }

  @Test(
    "layers with a mask that is not read",
    arguments: [
      (
        "Softmax", "", "model.json: layer 'layer': Softmax with a mask is not read"
      ),
      (
        "LSTM",
        #""units": 2, "unroll": true, "go_backwards": true, "return_sequences": true, "#
          + #""zero_output_for_mask": true"#,
        "model.json: layer 'layer': the layer is unrolled, goes backwards and has a mask; Keras "
          + "then sets other steps to zero than those of the mask, which is not read"
      ),
      (
        "CuDNNGRU", #""units": 2"#,
        "model.json: layer 'layer': CuDNNGRU with a mask is not read"
      ),
      (
        "ConvLSTM1D", #""filters": 2, "kernel_size": [2]"#,
        "model.json: layer 'layer': ConvLSTM1D with a mask is not read"
      ),
    ])
  func maskedLayers(className: String, settings: String, message: String) throws {
    let layer = Entry(className: className, name: "layer", settings: settings, inputs: ["masked"])
    #expect(try refusal([Self.words, Self.masked, layer], output: "layer") == message)
  }

  @Test(
    "settings that are not read",
    arguments: [
      (
        "ConvLSTM2D", #""filters": 2, "kernel_size": [2, 2], "data_format": "channels_first""#,
        "data_format is channels_first, which is not read of ConvLSTM2D"
      ),
      (
        "ConvLSTM1D", #""filters": 2, "kernel_size": [2], "time_major": true"#,
        "time_major is true, expected false"
      ),
      (
        "LocallyConnected1D", #""filters": 2, "kernel_size": [2], "padding": "same""#,
        #"padding is "same", expected "valid""#
      ),
      (
        "LocallyConnected2D", #""filters": 2, "kernel_size": [2, 2], "implementation": 4"#,
        "implementation is 4, expected 1, 2 or 3"
      ),
      ("AdaptiveMaxPooling1D", "", "the setting output_size is missing"),
      (
        "AdaptiveAveragePooling2D", #""output_size": "all""#,
        #"output_size is "all", expected a whole number or two"#
      ),
    ])
  func settings(className: String, settings: String, message: String) throws {
    let layer = Entry(className: className, name: "layer", settings: settings, inputs: ["steps"])
    #expect(
      try refusal([Self.steps, layer], output: "layer")
        == "model.json: 1 layer is not supported; a conversion with 'weightsOnly' writes the tensors "
        + "without a graph\n  'layer' (\(className)), layer 2 of 2: \(message)")
  }

  @Test("states of cells in both directions are as many as both have")
  func statesOfCells() throws {
    let cells = ["LSTMCell", "GRUCell"].map {
      #"{"class_name": "\#($0)", "config": {"units": 2, "name": "\#($0)"}}"#
    }.joined(separator: ", ")
    let stack = #"{"class_name": "StackedRNNCells", "config": {"cells": [\#(cells)]}}"#
    let rnn = #"{"class_name": "RNN", "config": {"name": "rnn", "cell": \#(stack)}}"#
    let both = Entry(
      className: "Bidirectional", name: "both", settings: #""layer": \#(rnn)"#,
      inputs: ["steps", "words", "words"])
    #expect(
      try refusal([Self.steps, Self.words, both], output: "both")
        == "model.json: layer 'both': the call has 2 inputs besides the sequence, expected none, or 6 "
        + "states to begin with")
  }

  @Test("calls and wrappers that are not read")
  func calls() throws {
    #expect(
      try refusal([Self.steps, Self.words, gru(["steps", "words", "words"])], output: "gru")
        == "model.json: layer 'gru': the call has 2 inputs besides the sequence, expected none, or 1 "
        + "state to begin with")
    #expect(
      try refusal([Self.steps, gru(["steps"], #", "time_major": true"#)], output: "gru")
        == "model.json: 1 layer is not supported; a conversion with 'weightsOnly' writes the tensors "
        + "without a graph\n  'gru' (GRU), layer 2 of 2: time_major is true, expected false"
    )
    let inner = #"{"class_name": "ConvLSTM1D", "config": {"name": "inner", "filters": 2}}"#
    let both = Entry(
      className: "Bidirectional", name: "both", settings: #""layer": \#(inner)"#, inputs: ["steps"])
    #expect(
      try refusal([Self.steps, both], output: "both")
        == "model.json: layer 'both': 'ConvLSTM1D' in Bidirectional is not read; SimpleRNN, LSTM and "
        + "GRU are")
    let cell = #"{"class_name": "MyCell", "config": {"units": 2}}"#
    let rnn = Entry(
      className: "RNN", name: "rnn", settings: #""cell": \#(cell)"#, inputs: ["steps"])
    #expect(
      try refusal([Self.steps, rnn], output: "rnn")
        == "model.json: layer 'rnn': 'MyCell' in RNN is not read; SimpleRNN, LSTM and GRU are")
    // A call that Keras 2 writes, of nothing.
    let alone = """
      {"class_name": "Functional", "keras_version": "2.15.0", "config": {"name": "m", "layers": [
       {"class_name": "RNN", "name": "rnn", "config": {"name": "rnn", "cell":
        {"class_name": "LSTMCell", "config": {"units": 2}}}, "inbound_nodes": [[]]}],
       "input_layers": [], "output_layers": [["rnn", 0, 0]]}}
      """
    let folder = try TemporaryFolder()
    let path = try folder.write(alone, to: "model.json")
    #expect(throws: NetconvError.self) { try ReaderRegistry.read(path) }
  }
}
