import ModelIR
import Operators
import Testing

@Suite struct MinimumTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Minimum", cases: 4)
  }

  @Test func `a NaN on either side wins`() throws {
    let nan = NDArray<Double>(shape: [1], values: [.nan])
    let one = NDArray<Double>(shape: [1], values: [1])
    #expect(try Minimum().evaluate([nan, one], [:]).values[0].isNaN)
    #expect(try Minimum().evaluate([one, nan], [:]).values[0].isNaN)
  }
}
