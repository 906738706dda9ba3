import ModelIR
import Operators
import Testing

@Suite struct UnitNormalizationTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("UnitNormalization", cases: 10, tolerance: functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = NDArray<Double>(shape: [3, 2], values: [3, 4, 0, 0, -6, 8])
    let y = try UnitNormalization().evaluate([x], [:])
    #expect(y.values == [0.6, 0.8, 0, 0, -0.6, 0.8])
    let bounded = try UnitNormalization(smallestNorm: 10).evaluate([x], [:])
    #expect(bounded.values == [0.3, 0.4, 0, 0, -0.6, 0.8])
  }

  @Test func `refuses an axis twice`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try UnitNormalization(axis: [1, -1]).outputShape(for: [Shape([2, 3])])
      } == "axis is [1, -1], expected one axis or several, each once")
  }
}
