import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Graphs of TensorFlow 1 as training leaves them, and where a model begins and ends in them.
@Suite("Graphs that also train")
struct TrainingGraphTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("tensorflow/\(name)") }

  /// The listing of the script that wrote the graphs: the results of the network in each.
  private static func listing() throws -> [String: [String]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: fixture("training.json")))
    let listing = try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]] ?? [:]
    return listing.compactMapValues { $0["outputs"] as? [String] }
  }

  @Test("suggested are values that only training, metrics and losses read")
  func suggestions() throws {
    let listing = try Self.listing()
    #expect(listing.count >= 7)
    for (name, outputs) in listing {
      let path = Self.fixture("training-\(name).pb")
      let error = try #require(thrown { try ReaderRegistry.read(path) })
      #expect(error.message.hasPrefix("the graph also trains"))
      #expect(error.details == outputs.map { "perhaps '\($0)'" }, "\(name)")
    }
  }

  // MARK: - Where nothing is fed to a placeholder

  @Test("an input of a stated shape is enough, although no placeholder has one")
  func inputAlone() throws {
    let path = Self.fixture("graph-refused-decoded.pb")
    let model = try ReaderRegistry.read(
      path, ReaderOptions(graph: GraphSelection(inputs: ["ExpandDims=?x7x9x2"]))
    ).model
    #expect(model.inputs.map(\.name) == ["ExpandDims"])
    #expect(model.inputs.first?.shape == Shape([7, 9, 2]))
    #expect(model.outputs == ["conv1"])
    // Resized to (5, 6), and convolved with four kernels.
    #expect(model.shape(of: "conv1") == Shape([5, 6, 4]))
  }

  // MARK: - The graph beside a checkpoint

  @Test(
    "a checkpoint is read by the graph that lies beside it, whatever of it is named",
    arguments: ["meta-plain/model.ckpt", "meta-plain/model.ckpt.index", "meta-plain"])
  func besideCheckpoint(path: String) throws {
    let source = try ReaderRegistry.read(Self.fixture(path))
    let expected = try ReaderRegistry.read(Self.fixture("meta-plain/model.ckpt.meta")).model
    let model = try source.model
    #expect(model.layers.map(\.name) == expected.layers.map(\.name))
    let stored = try arrays(Self.fixture("meta-plain.npz"))
    var inputs: [String: NDArray<Float>] = [:]
    for (index, input) in model.inputs.enumerated() {
      let array = try #require(stored["in\(index)"])
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    let found = try ReferenceEngine(model).run(inputs)
    for (index, name) in model.outputs.enumerated() {
      let values = try #require(found[name]).values
      #expect(relativeDifference(values, try #require(stored["out\(index)"]).values) < 1e-5)
    }
    #expect(
      source.notes.contains {
        "\($0.text)" == "the graph is that of 'model.ckpt.meta', which lies beside the checkpoint"
      })
    // Weights alone are those of the checkpoint.
    let weights = try ReaderRegistry.read(Self.fixture(path), ReaderOptions(acceptsWeights: true))
    #expect(weights.format == "tensorflow-checkpoint")
  }

  @Test("lists below errors keep what can be done as a value")
  func remedies() throws {
    let path = Self.fixture("graph-refused-open-size.pb")
    let error = try #require(thrown { try ReaderRegistry.read(path) })
    #expect(error.list.flatMap(\.remedies).contains(.graphInput))
  }
}
