import ModelIR
import Operators
import Testing

@Suite struct LayerNormalizationTests {
  @Test func `agrees with TensorFlow`() throws {
    // A few roundings of the mean and the variance more than a function takes.
    try expectTensorFlow("LayerNormalization", cases: 9, tolerance: 4 * functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = NDArray<Double>(shape: [2, 2], values: [1, 3, 10, 10])
    let y = try LayerNormalization(epsilon: 3).evaluate(
      [x],
      [
        .gamma: NDArray(shape: [2], values: [2, 4]), .beta: NDArray(shape: [2], values: [5, 6]),
      ])
    #expect(y.values == [4, 8, 5, 6])
  }

  @Test func `along several axes`() throws {
    let x = NDArray<Double>(shape: [2, 2, 1], values: [1, 2, 3, 2])
    #expect(
      try LayerNormalization(epsilon: 0.5, axis: [0, 1]).evaluate([x], [:]).values == [-1, 0, 1, 0])
    let specs = try LayerNormalization(axis: [-1, 0]).parameters(for: [Shape([2, nil, 3])])
    #expect(specs.map(\.layout.description) == ["HC", "HC"])
    #expect(specs[0].sizes == [.height: 2, .channels: 3])
  }

  @Test func `may leave the mean where it is`() throws {
    let x = NDArray<Double>(shape: [2], values: [1, 3])
    #expect(
      try LayerNormalization(epsilon: 3, subtractsMean: false).evaluate([x], [:]).values
        == [0.5, 1.5])
  }

  @Test func `refuses an axis that is not there`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try LayerNormalization(axis: 2).outputShape(for: [Shape([2, 3])])
      } == "axis 2 does not exist in an input of rank 2 (the batch is not counted)")
  }

  @Test func `takes one value per channel`() throws {
    let specs = try LayerNormalization().parameters(for: [Shape([nil, 3])])
    #expect(specs.map(\.role) == [.gamma, .beta])
    #expect(specs.map(\.isOptional) == [true, true])
    #expect(specs.map(\.sizes) == [[.channels: 3], [.channels: 3]])
  }
}
