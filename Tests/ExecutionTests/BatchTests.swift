import Execution
import ModelIR
import Operators
import Testing

/// Batches, mini-batches and stages do not change results.
@Suite struct BatchTests {
  /// Two stages: the second layer's weights are larger than a cache.
  private func network() throws -> Model {
    try chain(
      [
        Convolution2D(
          outputChannels: 12, kernelSize: Size2D(3, 3), padding: .same, activation: .relu),
        MaxPooling2D(poolSize: Size2D(2, 2)), Flatten(), Dense(units: 300, activation: .tanh),
        Dense(units: 10, activation: .softmax(axis: -1)),
      ], input: Shape([10, 12, 3]))
  }

  @Test(arguments: [1, 2, 17, 95, 96, 97, 200])
  func `batches of every size agree`(batch: Int) throws {
    let model = try network()
    try expectAgreement(model, randomInputs(of: model, batch: batch), threads: [1, 2, 3])
  }

  @Test(arguments: CPULevel.available.map(\.name))
  func `a sample's result does not depend on its batch`(level: String) throws {
    let model = try network()
    let engine = try FastEngine(model, threads: 2, level: try CPULevel.named(level))
    let inputs = randomInputs(of: model, batch: 200)
    let whole = try #require(try engine.run(inputs)["y4"])
    let images = try #require(inputs["x0"])
    for sample in [0, 1, 95, 96, 199] {
      let image = NDArray(
        shape: [1, 10, 12, 3], values: Array(images.values[sample * 360..<(sample + 1) * 360]))
      let alone = try #require(try engine.run(["x0": image])["y4"])
      #expect(alone.values == Array(whole.values[sample * 10..<(sample + 1) * 10]))
    }
  }

  @Test func `every layer can be kept`() throws {
    let model = try network()
    let names = Set(model.layers.map(\.name))
    try expectAgreement(model, randomInputs(of: model, batch: 100), keeping: names, threads: [2])
    for name in names {
      try expectAgreement(model, randomInputs(of: model, batch: 3), keeping: [name])
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `an empty batch has empty results`(kind: EngineKind) throws {
    let engine = try kind.engine(for: try network())
    let results = try engine.run(["x0": NDArray(shape: [0, 10, 12, 3], values: [])])
    #expect(results == ["y4": NDArray(shape: [0, 10], values: [])])
  }

  @Test func `layers that no result needs are left out`() throws {
    let model = try chain(
      [Dense(units: 3), Dense(units: 4), Activation(.relu)], input: Shape([2]), outputs: ["y0"])
    try expectAgreement(model, randomInputs(of: model, batch: 2))
    try expectAgreement(model, randomInputs(of: model, batch: 2), keeping: ["y2"])
  }

  @Test func `sizes that the model leaves open come from the input`() throws {
    let model = try chain(
      [
        Convolution2D(outputChannels: 6, kernelSize: Size2D(3, 2), padding: .same),
        MaxPooling2D(poolSize: Size2D(2, 2), padding: .same), GlobalAveragePooling2D(),
        Dense(units: 3),
      ], input: Shape([nil, nil, 2]))
    let fast = try FastEngine(model, keeping: ["y1"])
    let reference = try ReferenceEngine(model, keeping: ["y1"])
    var random = SplitMix64(seed: 5)
    for (height, width) in [(1, 1), (4, 7), (9, 2), (4, 7)] {
      let inputs = ["x0": random.array([3, height, width, 2])]
      let expected = try reference.run(inputs)
      #expect(expected["y1"]?.shape == [3, (height + 1) / 2, (width + 1) / 2, 6])
      #expect(difference(expected, try fast.run(inputs)) == nil)
    }
  }

  @Test func `an engine serves several tasks at once`() async throws {
    let model = try network()
    let engine = try FastEngine(model)
    let expected = try engine.run(randomInputs(of: model, batch: 40))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { try engine.run(randomInputs(of: model, batch: 40)) == expected }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }
}
