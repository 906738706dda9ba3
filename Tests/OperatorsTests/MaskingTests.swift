import ModelIR
import Operators
import Testing

@Suite struct MaskingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Masking", cases: 1)
  }

  @Test func `the value is one of float32, as the data are`() throws {
    let x = NDArray<Double>(shape: [2, 1], values: [Double(Float(0.1)), 0.5])
    #expect(try Masking(value: 0.1).evaluate([x], [:]).values == [0, 0.5])
  }
}
