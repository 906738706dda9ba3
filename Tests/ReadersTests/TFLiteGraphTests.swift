import Datasets
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// TensorFlow Lite models, with the interpreter's outputs as the oracle.
@Suite("Graphs of TensorFlow Lite give the interpreter's outputs")
struct TFLiteGraphTests {
  static func fixture(_ name: String) -> String { Fixtures.path("tflite/\(name)") }

  private static let graphs = StoredGraphs(in: "tflite", endingIn: ".tflite")
  static let read = graphs.read
  static let refused = graphs.refused

  @Test("all fixtures are there")
  func fixturesAreFound() {
    #expect(Self.read.count >= 60)
    #expect(Set(Self.refused) == Set(Self.refusals.keys))
  }

  // Float32 sums of a few hundred products differ by about 1e-7 of the largest output.
  @Test("every graph, on both engines, within 1e-5", arguments: read, EngineKind.allCases)
  func outputs(graph: String, engine: EngineKind) throws {
    try expectStoredOutputs(
      of: Self.fixture("\(graph).tflite"), Self.fixture("\(graph).npz"), engine)
  }

  @Test("layers are the operators that the table says", arguments: read)
  func operators(graph: String) throws {
    let model = try ReaderRegistry.read(Self.fixture("\(graph).tflite")).model
    for layer in model.layers {
      let name = type(of: layer.operation).name
      #expect(TFLiteOperationTable.operators.contains(name), "\(layer.name): \(name)")
    }
  }

  // MARK: - Names, inputs and outputs

  @Test("layers are called after the first of the names that a converter has joined")
  func names() throws {
    #expect(
      try ReaderRegistry.read(Self.fixture("conv-same.tflite")).model.layers.map(\.name) == [
        "conv1"
      ])
    #expect(
      try ReaderRegistry.read(Self.fixture("same-names.tflite")).model.layers.prefix(2)
        .map(\.name) == ["net/Dense", "net/Dense_1"])
  }

  @Test("inputs have the names of the signature, in the order of the graph")
  func signature() throws {
    let path = Self.fixture("signature.tflite")
    #expect(try ReaderRegistry.read(path).model.inputs.map(\.name) == ["a", "b"])
    // Both names are accepted.
    for name in ["a", "serving_default_a:0"] {
      let options = ReaderOptions(graph: GraphSelection(inputs: [name, "b"]))
      #expect(try ReaderRegistry.read(path, options).model.inputs.map(\.name) == [name, "b"])
    }
  }

  @Test("a value inside the graph is asked for, and another is fed, by its name")
  func ends() throws {
    let path = Self.fixture("reshapes.tflite")
    let options = ReaderOptions(graph: GraphSelection(inputs: ["v2=?x30"], outputs: ["v6"]))
    let part = try ReaderRegistry.read(path, options).model
    #expect(part.inputs.map(\.name) == ["v2"])
    #expect(part.outputs.count == 1)
    let missing = ReaderOptions(graph: GraphSelection(outputs: ["v66"]))
    let error = try #require(thrown { try ReaderRegistry.read(path, missing) })
    #expect(error.kind == .usage)
  }

  // MARK: - Notes

  @Test(
    "what is read otherwise than it stands is said",
    arguments: [
      (
        "batch-of-two",
        [
          "the first axis of an input is taken for the batch, though it is neither open nor 1: 'x'"
        ]
      ), ("rows-are-mixed", [whole]), ("embedding-lookup", [whole]),
      ("lstm-batch-major", [states("v15")]), ("lstm-time-major", [states("v17")]),
      (
        "lstm-limited",
        [
          states("v15"),
          "the limit of a recurrent layer's cells is left out: outputs are others than the interpreter's where a cell "
            + "would go beyond it: 'v15'",
        ]
      ),
    ])
  func notes(graph: String, notes: [String]) throws {
    let source = try ReaderRegistry.read(Self.fixture("\(graph).tflite"))
    #expect(source.notes.filter(\.isWarning).map(\.line) == notes)
  }

  private static let whole =
    "the graph has no batch of samples that are independent, and is read as one sample; arrays of samples have one more "
    + "axis in front: 'x'"

  private static func states(_ name: String) -> String {
    "states begin with zeros for each sample, as after the interpreter's reset_all_variables(), without which it goes on "
      + "where the sample before has ended: '\(name)'"
  }

  // MARK: - Refusals

  /// The expected error of each refused graph.
  private static let refusals: [String: String] = [
    "refused-custom":
      "'v4 (SignalWindow)': the custom operator 'SignalWindow' is a program's own, which is not read",
    "refused-fused-tanh":
      "'v3 (CONV_2D)': the activation TANH behind an operator, which kernels pass over, is not read",
    "refused-hybrid":
      "'net/conv/Conv2D (CONV_2D)': weights of int8 are multiplied by activations that the interpreter rounds to "
      + "integers, which is not read",
    "refused-integers":
      "(PRELU)': computes with integers of int8 and their scales, which is not read",
    "refused-kernel-zero":
      "'v3 (CONV_2D)': the kernel has a zero point, which the interpreter ignores",
    "refused-kinds":
      "'v20 (SignalWindow)': the custom operator 'SignalWindow' is a program's own, which is not read",
    "refused-moved-scale":
      "'v2 (RESHAPE)': moves integers from one scale to another without rescaling them, which is not read",
    "refused-other-options":
      "'v1 (SOFTMAX)': has the options of another operator, of number 75",
    "refused-peephole":
      "'v15 (UNIDIRECTIONAL_SEQUENCE_LSTM)': one of: gates that see the cell, share a gate or are normalised, projections, "
      + "other activations than TANH, states that are fed, which is not read",
    "refused-select-rows": "'v3 (SELECT)': chooses whole rows by a vector, which is not read",
    "refused-shifted-sum":
      "'v2 (ADD)': adds integers of 16 bits whose scales are powers of two by shifting, which is not read",
    "refused-shuffled":
      "'v2 (FULLY_CONNECTED)': weights_format is 'SHUFFLED4x16INT8', which is not read; known are DEFAULT",
    "refused-slice-offset":
      "'v4 (STRIDED_SLICE)': offset is 'true', which is not read; known are false",
    "refused-sparse": "the values are stored without zeros, which is not read",
    "refused-unknown": "'v2 (CUMSUM)': the operation 'CUMSUM' is not read; it reads 'x', 'c1'",
    "refused-variable": "keeps its values from one run to the next, which is not read",
    "refused-while": "while (WHILE)': the operation 'WHILE' is not read",
  ]

  @Test("what is not read is named", arguments: refused)
  func refusal(graph: String) throws {
    let error = try #require(
      thrown { try ReaderRegistry.read(Self.fixture("\(graph).tflite")).model })
    let expected = try #require(Self.refusals[graph])
    let lines = ([error.headline.description] + error.details).joined(separator: "\n")
    #expect(lines.contains(expected), "\(lines)")
    #expect(error.kind == .badData)
  }
}

@Suite("The documented operators of TensorFlow Lite are those that are read")
struct TFLiteOperationTableTests {
  private static let document = "\(Fixtures.repository)/Docs/formats/tflite.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the table is the one that the mappings give; make docs writes it")
  func table() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| operators |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + TFLiteOperationTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/formats/tflite.md is stale; run make docs")
    }
  }
}
