import ModelIR
import Operators
import Testing

@Suite struct RMSNormalizationTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("RMSNormalization", cases: 4, tolerance: 2 * functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = NDArray<Double>(shape: [2, 2], values: [1, 7, 3, -1])
    let y = try RMSNormalization(epsilon: 11).evaluate(
      [x], [.gamma: NDArray(shape: [2], values: [6, 12])])
    #expect(y.values == [1, 14, 18 / 16.0.squareRoot(), -12 / 16.0.squareRoot()])
  }

  @Test func `refuses axes that are not the last`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try RMSNormalization(axis: [0, 1]).outputShape(for: [Shape([2, 3, 4])])
      } == "axis is [0, 1], expected the last axis, or several up to it")
  }

  @Test func `takes one value for each place along the axes`() throws {
    let specs = try RMSNormalization(axis: [1, 2]).parameters(for: [Shape([nil, 3, 4])])
    #expect(specs.map(\.layout.description) == ["WC"])
    #expect(specs.map(\.sizes) == [[.width: 3, .channels: 4]])
  }
}
