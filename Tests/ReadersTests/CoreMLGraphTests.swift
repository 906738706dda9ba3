import Execution
import ModelIR
import Readers
import TestSupport
import Testing

/// Core ML models that coremltools made of PyTorch networks, with PyTorch's outputs as the oracle.
@Suite("Core ML models give the outputs of the networks that they were made from")
struct CoreMLGraphTests {
  private static let packages = StoredGraphs(in: "coreml", endingIn: ".mlpackage")
  private static let files = StoredGraphs(in: "coreml", endingIn: ".mlmodel")
  static let read =
    packages.read.map { $0 + ".mlpackage" } + files.read.map { $0 + ".mlmodel" }

  private static func fixture(_ name: String) -> String { Fixtures.path("coreml/\(name)") }

  @Test("all fixtures are there")
  func fixturesAreFound() {
    #expect(Self.read.count >= 22)
    #expect(
      Set(Self.packages.refused + Self.files.refused) == [
        "refused-cumsum", "refused-gru", "refused-pipeline", "refused-tree",
      ])
  }

  // Float32 sums of a few hundred products differ by about 1e-7 of the largest output.
  @Test("every model, on both engines, within 1e-5", arguments: read, EngineKind.allCases)
  func outputs(model: String, engine: EngineKind) throws {
    let name = model.prefix { $0 != "." }
    try expectStoredOutputs(of: Self.fixture(model), Self.fixture("\(name).npz"), engine)
  }

  @Test(
    "what is no network, or is not read, is refused by name",
    arguments: [
      ("refused-tree.mlmodel", "is a tree ensemble classifier, which is no neural network"),
      ("refused-pipeline.mlmodel", "is a pipeline, which is no neural network"),
      ("refused-gru.mlmodel", "is a layer of kind gru, which is not read"),
      ("refused-cumsum.mlpackage", "cumsum"),
    ])
  func refused(model: String, text: String) throws {
    let error = thrown { try ReaderRegistry.read(Self.fixture(model)) }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }
}
