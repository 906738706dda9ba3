import ModelIR
import Operators
import Testing

@Suite struct GatedLinearUnitTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("GatedLinearUnit", cases: 3, tolerance: functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = NDArray<Double>(shape: [2, 2], values: [6, 0, 8, .infinity])
    #expect(
      try GatedLinearUnit().evaluate([x], [:]) == NDArray(shape: [2, 1], values: [3, 8]))
  }

  @Test func `an unknown size stays unknown`() throws {
    #expect(try GatedLinearUnit().outputShape(for: [Shape([4, nil])]) == Shape([4, nil]))
  }

  @Test func `refuses what has no halves`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try GatedLinearUnit(axis: 0).outputShape(for: [Shape([3, 4])])
      } == "the axis has the size 3, which cannot be halved")
  }
}
