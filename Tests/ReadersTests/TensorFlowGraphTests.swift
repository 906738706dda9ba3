import Datasets
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Frozen graphs that TensorFlow wrote, with the outputs of the same graphs in float64 as the oracle.
@Suite("Graphs of TensorFlow give TensorFlow's outputs")
struct TensorFlowGraphTests {
  static func fixture(_ name: String) -> String { Fixtures.path("tensorflow/\(name)") }

  /// The graphs of a kind, by the part of their names after `graph-`.
  static func graphs(_ isWanted: (String) -> Bool) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: fixture(""))) ?? []
    return names.filter { $0.hasPrefix("graph-") && $0.hasSuffix(".pb") }
      .map { String($0.dropFirst("graph-".count).dropLast(".pb".count)) }.filter(isWanted).sorted()
  }

  /// The graphs whose outputs are stored.
  static let computed: [String] = graphs { !$0.hasPrefix("refused-") }

  /// The graphs that are read without naming an output.
  static let read: [String] = computed.filter {
    TensorFlowGraphRefusals.unread[$0] == nil && innerOutputs[$0] == nil
  }

  /// Outputs that other nodes read, and that have to be named.
  static let innerOutputs = [
    "depth-to-space": ["DepthToSpace", "SpaceToDepth"],
    "network-inner-output": ["features", "classes"],
  ]

  /// The graphs with one property that must be refused.
  static let refusedGraphs: [String] = graphs { $0.hasPrefix("refused-") }

  @Test("all fixtures are there")
  func fixturesAreFound() {
    #expect(Self.computed.count >= 227)
    #expect(Self.read.count >= 206)
  }

  // Float32 sums of a few hundred products differ from float64 by some 1e-7 of the largest output.
  @Test("every graph, on both engines, within 1e-5", arguments: read, EngineKind.allCases)
  func outputs(graph: String, engine: EngineKind) throws {
    try expectStoredOutputs(
      of: Self.fixture("graph-\(graph).pb"), Self.fixture("graph-\(graph).npz"), engine)
  }

  @Test(
    "an output that other nodes read is asked for by name", arguments: innerOutputs.keys.sorted())
  func innerOutput(graph: String) throws {
    let outputs = try #require(Self.innerOutputs[graph])
    try expectStoredOutputs(
      of:
        Self.fixture("graph-\(graph).pb"), Self.fixture("graph-\(graph).npz"), .fast,
      GraphSelection(outputs: outputs))
  }

  // MARK: - Refusals

  private func refusal(_ graph: String) throws -> String {
    let path = Self.fixture("graph-\(graph).pb")
    let error = try #require(thrown { try ReaderRegistry.read(path) }, "\(graph) is read")
    #expect(error.kind == .badData)
    guard error.message.contains("of the graph") else {
      return error.headline.description.replacing(path + ": ", with: "")
    }
    return error.details.prefix(3).joined(separator: "\n")
  }

  @Test("what has no layer is named", arguments: TensorFlowGraphRefusals.unread.keys.sorted())
  func unread(graph: String) throws {
    #expect(try refusal(graph) == TensorFlowGraphRefusals.unread[graph])
  }

  @Test("what must not pass is named", arguments: refusedGraphs)
  func refused(graph: String) throws {
    if TensorFlowGraphRefusals.read.contains(String(graph.dropFirst("refused-".count))) {
      _ = try ReaderRegistry.read(Self.fixture("graph-\(graph).pb")).model
    } else {
      #expect(try refusal(graph) == TensorFlowGraphRefusals.refused[graph])
    }
  }

  @Test("dropout that would go on is left out, and said")
  func dropoutNote() throws {
    let source = try ReaderRegistry.read(Self.fixture("graph-refused-dropout.pb"))
    #expect(
      source.notes.filter(\.isWarning).map(\.line) == [
        "dropout is left out, as after training, though the graph states a rate of its own: 'dropout/SelectV2'"
      ])
  }

  @Test("without a graph that is read there are the weights")
  func weights() throws {
    let source = try ReaderRegistry.read(
      Self.fixture("graph-refused-training.pb"), ReaderOptions(acceptsWeights: true))
    #expect(source.problem?.message.contains("1 node of the graph is not read") ?? false)
    #expect(!source.network.tensors.isEmpty)
  }

  /// The constants beside them are no weights.
  @Test(
    "of variables whose values are elsewhere there are no weights", arguments: ["", "-resources"])
  func variables(kind: String) throws {
    let error = thrown {
      try ReaderRegistry.read(
        Self.fixture("graph-refused-not-frozen\(kind).pb"), ReaderOptions(acceptsWeights: true)
      ).network
    }
    #expect(error?.kind == .badData)
    // Nor is it advised to take them without the graph.
    #expect(error?.headline.description.hasSuffix(": 1 node of the graph is not read") == true)
    #expect(error?.details.first?.contains("a variable has no values here") == true)
  }

  // MARK: - Saved models and meta graphs

  /// Each with the names of its inputs' and outputs' arrays, in the order of the signature's keys.
  static let savedModels: [(path: String, arrays: String, inputs: [String], outputs: [String])] = [
    ("saved-tf1", "saved-tf1", ["in0"], ["out0", "out1"]),
    ("saved-tf1/saved_model.pb", "saved-tf1", ["in0"], ["out0", "out1"]),
    ("saved-tf1-resources", "saved-tf1-resources", ["in0"], ["out0", "out1"]),
    ("saved-tf1-signatures", "saved-tf1-signatures", ["in0"], ["out0"]),
    ("saved-keras2", "saved-keras2", ["in0", "in1"], ["out0", "out1"]),
    ("saved-keras2-exported", "saved-keras2-exported", ["in0"], ["out0"]),
    ("saved-keras3", "saved-keras3", ["in0", "in1"], ["out0", "out1"]),
    ("saved-function", "saved-function", ["in0"], ["out0"]),
    ("meta-plain/model.ckpt.meta", "meta-plain", ["in0"], ["out0"]),
    ("meta-resources/model.ckpt.meta", "meta-resources", ["in0"], ["out0"]),
  ]

  @Test("SavedModels of all writers, and graphs beside checkpoints", arguments: savedModels)
  func saved(model: (path: String, arrays: String, inputs: [String], outputs: [String])) throws {
    for engine in EngineKind.allCases {
      try expectStoredOutputs(
        of:
          Self.fixture(model.path), Self.fixture("\(model.arrays).npz"), engine,
        named: (model.inputs, model.outputs))
    }
  }

  @Test("the checksums of a SavedModel's values are there to be compared")
  func checksums() throws {
    let source = try ReaderRegistry.read(Self.fixture("saved-keras2"))
    #expect(source.unchecked.count >= source.network.tensors.count)
    #expect(source.format == "tensorflow-saved-model" && source.framework == "tensorflow 2.21.0")
  }
}
