import Datasets
import Foundation
import ModelDSL
import ModelIR
import NetconvKit
import SampleModels
import TestSupport
import Testing

@Suite struct InceptionTests {
  /// `Conv2D conv2d_3 73 73 80 5120`: class, name, shape and parameter count of each layer, according to Keras.
  private func kerasLayers() throws -> [[String]] {
    try String(contentsOfFile: Fixtures.path("inception-v3/layers.txt"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  @Test(.slow)
  func `has Keras's shapes and parameters, and its outputs with the same weights`() throws {
    let network = InceptionV3()
    let model = try network.model(HashedParameters.loader)
    #expect(model.parameterCount == 23_851_784)
    let layers = try kerasLayers()
    #expect(layers.last == ["total", "23851784"])
    for layer in layers where layer.count > 3 && layer[1] != "-" {
      let found = try #require(model.layer(named: layer[1]), "\(layer[1])")
      #expect(
        found.outputShape.dimensions.map { $0 ?? 0 } == layer[2...].dropLast().map { Int($0) })
      #expect("\(found.parameters.reduce(0) { $0 + $1.count })" == layer.last, "\(layer[1])")
    }
    // Activations and poolings have no names of their own: as many of each class and shape.
    let unnamed = Dictionary(
      grouping: layers.filter { $0[0] != "InputLayer" && $0.dropFirst().first == "-" }
    ) { "\($0[0]) " + $0[2...].dropLast().joined(separator: " ") }.mapValues(\.count)
    let ours = Dictionary(
      grouping: model.layers.filter {
        ["activation_", "pool_", "avg_pool", "concat_"].contains(where: $0.name.hasPrefix)
      }
    ) { layer in
      "\(type(of: layer.operation).name) "
        + layer.outputShape.dimensions.map { "\($0 ?? 0)" }.joined(separator: " ")
    }.mapValues(\.count)
    #expect(ours == unnamed)

    let pixels = HashedParameters.hashed("image", 299 * 299 * 3).map { Float(2 * $0 - 1) }
    let engine = try EngineKind.fast.engine(for: model, keeping: [network.logits.name])
    let results = try engine.run([
      "input_1": NDArray(shape: [1, 299, 299, 3], values: pixels)
    ])
    let expected = try NumpyArchive.read(Fixtures.path("inception-v3/logits.npy"))[0].array
    let logits = try #require(results[network.logits.name])
    // Float32 over 94 layers against Keras in float64.
    #expect(relativeDifference(logits.values, expected.values) < 1e-5)
    let best = try #require(results[network.predictions.name]).top(1)[0][0]
    #expect(best.index == NDArray(shape: [1, 1000], values: expected.values).top(1)[0][0].index)
  }

  @Test(.slow)
  func `with the normalisations folded it has fewer parameters and the same shapes`() throws {
    let model = try InceptionV3(folded: true).model(HashedParameters.loader)
    #expect(model.parameterCount == 23_817_352)
    for layer in try kerasLayers() where layer[0] == "Conv2D" || layer[0] == "Concatenate" {
      guard layer[1] != "-" else { continue }
      #expect(
        model.shape(of: layer[1])?.dimensions.map { $0 ?? 0 }
          == layer[2...].dropLast().map { Int($0) })
    }
  }
}
