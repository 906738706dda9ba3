import Datasets
import Execution
import Foundation
import ModelIR
import Operators
import Readers
import TestSupport
import Testing

/// Models of ONNX, with the outputs of onnxruntime, or of ONNX's reference evaluator, as the oracle.
@Suite("Graphs of ONNX give ONNX's outputs")
struct ONNXGraphTests {
  static func fixture(_ name: String) -> String { Fixtures.path("onnx/\(name)") }

  private static let graphs = StoredGraphs(in: "onnx", endingIn: ".onnx")
  static let read = graphs.read
  static let refused = graphs.refused

  @Test("all fixtures are there")
  func fixturesAreFound() {
    #expect(Self.read.count >= 205)
    #expect(Set(Self.refused) == Set(Self.refusals.keys))
  }

  // Float32 sums of a few hundred products differ by some 1e-7 of the largest output.
  @Test("every graph, on both engines, within 1e-5", arguments: read, EngineKind.allCases)
  func outputs(graph: String, engine: EngineKind) throws {
    try expectStoredOutputs(
      of: Self.fixture("\(graph).onnx"), Self.fixture("\(graph).npz"), engine,
      constantOutputs: graph == "constant-output" ? 1 : 0)
  }

  @Test("layers are the operators that the table says", arguments: read)
  func operators(graph: String) throws {
    let model = try ReaderRegistry.read(Self.fixture("\(graph).onnx")).model
    for layer in model.layers {
      let name = type(of: layer.operation).name
      #expect(ONNXOperationTable.operators.contains(name), "\(layer.name): \(name)")
    }
  }

  @Test(
    "attention that is spelled out is one layer, and nothing that only looks like it",
    arguments: [
      ("attention-heads", 1), ("attention-dot-products", 1), ("attention-microsoft", 4),
      // The sum of a score and itself is a score and a bias.
      ("attention-look-alikes", 1),
    ])
  func attention(graph: String, count: Int) throws {
    let model = try ReaderRegistry.read(Self.fixture("\(graph).onnx")).model
    let found = model.layers.filter { $0.operation is Attention }
    #expect(found.count == count)
  }

  // MARK: - Files

  @Test("layers are called after initializers, then nodes, then outputs")
  func names() throws {
    let model = try ReaderRegistry.read(Self.fixture("file-names.onnx")).model
    #expect(model.layers.map(\.name) == ["encoder.shared", "encoder/MatMul_1", "head"])
    #expect(model.layers[1].parameters.first?.layer == "encoder.shared")
    #expect(
      try ReaderRegistry.read(Self.fixture("conv-plain.onnx")).model.layer(named: "block.conv1")
        != nil)
  }

  @Test("a file with values beside the model is one of the source's")
  func externalFile() throws {
    let source = try ReaderRegistry.read(Self.fixture("file-external.onnx"))
    #expect(
      source.files.map { ($0.path as NSString).lastPathComponent } == [
        "file-external.onnx", "file-external.data",
      ])
    #expect(source.framework == "make_onnx")
  }

  @Test("without a graph that is read there are the initializers")
  func weights() throws {
    let source = try ReaderRegistry.read(
      Self.fixture("refused-pool-dilated.onnx"), ReaderOptions(acceptsWeights: true))
    #expect(source.problem?.message.contains("1 node of the graph is not read") ?? false)
  }

  @Test("a value inside the graph is asked for, and another is fed, by its name")
  func ends() throws {
    let path = Self.fixture("matmul-add.onnx")
    let whole = try ReaderRegistry.read(path).model
    let inner = try ReaderRegistry.read(
      path, ReaderOptions(graph: GraphSelection(inputs: ["v2=?x6x4"], outputs: ["v4"])))
    #expect(try inner.model.layers.count < whole.layers.count)
    let missing = ReaderOptions(graph: GraphSelection(outputs: ["v44"]))
    let error = try #require(thrown { try ReaderRegistry.read(path, missing) })
    #expect(error.kind == .usage)
  }

  // MARK: - Notes

  @Test(
    "what is read otherwise than it stands is said",
    arguments: [
      (
        "batch-of-two",
        "the first axis of an input is taken for the batch, though it is neither open nor 1: 'x'"
      ),
      (
        "matmul-without-batch",
        "the graph has no batch of samples that are independent, and is read as one sample; arrays of samples have one "
          + "more axis in front: 'x'"
      ),
      (
        "whole-batch-mean",
        "the graph has no batch of samples that are independent, and is read as one sample; arrays of samples have one "
          + "more axis in front: 'x'"
      ),
      ("constant-output", "outputs that do not depend on what is fed are left out: 'v3'"),
    ])
  func notes(graph: String, note: String) throws {
    let source = try ReaderRegistry.read(Self.fixture("\(graph).onnx"))
    #expect(source.notes.filter(\.isWarning).map(\.line) == [note])
  }

  // MARK: - Refusals

  /// The message about each graph that is refused.
  private static let refusals: [String: String] = [
    "refused-batch-behind": "'v1': the batch is axis 1 of this output; expected the first",
    "refused-batch-gather": "'v2 (Gather)': works along the batch, which is not read",
    "refused-batch-literal":
      "'v2 (Reshape)': the axis of the batch becomes 2, whatever the batch is; if that is the size of each batch, state it "
      + "with 'graph.inputs', such as name=2x28x28x1",
    "refused-batch-mean": "'v1 (ReduceMean)': works along the batch, which is not read",
    "refused-batch-merged":
      "'v2': the first axis of this output counts more than the batch; expected a value before it is merged",
    "refused-branch-fed": "(If)': input 0 of If follows from what is fed, expected a constant",
    "refused-function-recursive":
      "(one)': the function calls itself, or calls are nested more than 64 deep",
    "refused-scatter-repeated":
      "'v3 (ScatterND)': writes to one place more than once, or outside of the values",
    "refused-external-outside":
      "file '../outside.bin' leaves the folder; name a file in it, without '..'",
    "refused-external-short":
      "the values are 16 bytes from byte 88 of 'refused-external-short.data', which has 100; expected 16 bytes "
      + "inside of it",
    "refused-later-value":
      "reads 'v1', which no initializer, input or node before gives",
    "refused-pool-dilated":
      "'v3 (MaxPool)': dilations is '[2, 2]', which is not read; known are 1",
    "refused-pool-indices": "'v1 (MaxPool)': output 1 is not read",
    "refused-quantised":
      "'v1 (DynamicQuantizeLinear)': the scale is that of the whole batch, whose size is not 1; state a batch of 1 with "
      + "'graph.inputs', such as name=1x16",
    "refused-recurrent-clip": "'v5 (LSTM)': clip is '1.0', which is not read; known are none",
    "refused-recurrent-lengths":
      "'v5 (LSTM)': sequence_lens ends sequences before others, which is not read",
    "refused-training-norm-6":
      "'v5 (BatchNormalization)': BatchNormalization is in training mode; export the network after eval()",
    "refused-recurrent-peepholes": "'v5 (LSTM)': the input P has peepholes, which is not read",
    "refused-resize-corners":
      "'v2 (Resize)': align_corners with factors that do not come to whole sizes, which is not read",
    "refused-training-dropout":
      "'v2 (Dropout)': Dropout is in training mode; export the network after eval()",
    "refused-training-norm":
      "'v5 (BatchNormalization)': BatchNormalization is in training mode; export the network after eval()",
    "refused-trees":
      "'v1 (Normalizer)': ai.onnx.ml holds trees, scalers and the like, which are no neural networks, and is not "
      + "read",
  ]

  @Test("what must not pass is named", arguments: refused)
  func refusal(graph: String) throws {
    let error = try #require(
      thrown { try ReaderRegistry.read(Self.fixture("\(graph).onnx")) }, "\(graph) is read")
    #expect(error.kind == .badData)
    let lines = ([error.headline.description] + error.details).joined(separator: "\n")
    #expect(lines.contains(Self.refusals[graph] ?? "?"), "\(lines)")
  }
}

@Suite("The documented operations of ONNX are those that are read")
struct ONNXOperationTableTests {
  private static let document = "\(Fixtures.repository)/Docs/formats/onnx.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the table is the one that the mappings give; make docs writes it")
  func table() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| operations |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + ONNXOperationTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/formats/onnx.md is stale; run make docs")
    }
  }
}
