import ModelIR
import Operators
import Testing

@Suite struct BatchNormalizationTests {
  @Test func `agrees with TensorFlow`() throws {
    // TensorFlow folds mean and scale in float32, which costs a few roundings of the largest term.
    try expectTensorFlow("BatchNormalization", cases: 4, tolerance: 4 * functionTolerance)
  }

  @Test func `normalises, scales and shifts each channel`() throws {
    let x = NDArray<Double>(shape: [2, 2], values: [5, 1, 3, 2])
    let y = try BatchNormalization(epsilon: 1).evaluate(
      [x],
      [
        .gamma: NDArray(shape: [2], values: [4, 3]), .beta: NDArray(shape: [2], values: [10, 20]),
        .mean: NDArray(shape: [2], values: [1, 2]), .variance: NDArray(shape: [2], values: [3, 8]),
      ])
    #expect(y == NDArray(shape: [2, 2], values: [18, 19, 14, 20]))
  }

  @Test func `gamma and beta are optional, mean and variance are not`() throws {
    let specs = try BatchNormalization().parameters(for: [Shape([nil, nil, 3])])
    #expect(specs.map(\.role) == [.gamma, .beta, .mean, .variance])
    #expect(specs.map(\.isOptional) == [true, true, false, false])
    #expect(try specs.map { try $0.count() } == [3, 3, 3, 3])
  }

  @Test func `keeps the shape, unknown sizes too`() throws {
    let shape = Shape([nil, 3, 2])
    #expect(try BatchNormalization().outputShape(for: [shape]) == shape)
    #expect(BatchNormalization().axisFlow(from: [shape]) == .elementwise)
  }

  @Test func `needs to know the channels`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try BatchNormalization().parameters(for: [Shape([nil])])
      }
        == "the input has shape (None); this layer needs every size that it mixes to be known, so "
        + "fix the size of the model's input")
  }

  @Test func `epsilon is 0.001 by default`() throws {
    #expect(try decode(BatchNormalization.self, "{}").epsilon == 0.001)
  }
}
