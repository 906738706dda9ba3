import Execution
import ModelIR
import Operators
import Readers
import TestSupport
import Testing

/// Networks of integers, with the outputs of the interpreter's reference kernels as the oracle.
@Suite("Networks of integers in TensorFlow Lite give the interpreter's integers")
struct TFLiteIntegerTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("tflite/\(name)") }

  static let graphs = StoredGraphs(in: "tflite", endingIn: ".tflite").read
    .filter { $0.hasPrefix("integers-") && $0 != "integers-hybrid" }

  @Test("there are graphs of integers")
  func fixturesAreFound() { #expect(Self.graphs.count >= 15) }

  /// The numbers of both are a scale times an integer, rounded once, so that equal integers are equal numbers.
  @Test("every value is the interpreter's, on both engines", arguments: graphs, EngineKind.allCases)
  func outputs(graph: String, engine: EngineKind) throws {
    let model = try ReaderRegistry.read(Self.fixture("\(graph).tflite")).model
    let stored = try arrays(Self.fixture("\(graph).npz"))
    var inputs: [String: NDArray<Float>] = [:]
    for (index, input) in model.inputs.enumerated() {
      let array = try #require(stored["in\(index)"])
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    let found = try engine.engine(for: model).run(inputs)
    for (index, name) in model.outputs.enumerated() {
      let (output, expected) = (
        try #require(found[name]), try #require(stored["out\(index)"])
      )
      #expect(output.values == expected.values, "output \(index)")
      #expect(Set(expected.values).count > 1, "output \(index)")
    }
  }

  @Test("all kinds of layers on integers are among them")
  func kinds() throws {
    var kinds: Set<String> = []
    for graph in Self.graphs {
      for layer in try ReaderRegistry.read(Self.fixture("\(graph).tflite")).model.layers {
        guard let layer = layer.operation as? Quantized else { continue }
        kinds.insert(type(of: layer.operation).name)
      }
    }
    #expect(
      kinds == [
        "Activation", "Add", "AveragePooling2D", "Concatenate", "Convolution2D", "Dense",
        "DepthwiseConvolution2D", "Identity", "Multiply", "Reduce", "Resizing", "Subtract",
        "TransposedConvolution2D",
      ])
  }

  @Test(
    "weights are the numbers that their scales give, and the bias is what its integers stand for")
  func weights() throws {
    let model = try ReaderRegistry.read(Self.fixture("integers-dense.tflite")).model
    let layer = try #require(model.layers.last)
    let kernel = try #require(layer.parameter(.kernel)).values()
    #expect(kernel.contains { $0 != $0.rounded() })
    #expect(kernel.allSatisfy { abs($0) <= 127 * 0.02 + 1e-6 })
  }
}
