import ModelIR
import Operators
import Testing

@Suite struct DivideTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Divide", cases: 3, tolerance: 1e-7)
  }

  @Test func `a quotient is of two`() {
    #expect(Divide().inputCount == 2...2)
  }

  @Test func `a size of 1 is repeated on either side`() throws {
    let pixel = NDArray<Double>(shape: [1, 1, 2], values: [10, 100])
    let column = NDArray<Double>(shape: [2, 1, 1], values: [1, 2])
    #expect(try Divide().evaluate([column, pixel], [:]).values == [0.1, 0.01, 0.2, 0.02])
  }
}
