import ModelIR
import Operators
import Testing

@Suite struct SubtractTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Subtract", cases: 3)
  }

  @Test func `a difference is of two`() {
    #expect(Subtract().inputCount == 2...2)
  }

  @Test func `a size of 1 is repeated on either side`() throws {
    let pixel = NDArray<Double>(shape: [1, 1, 2], values: [10, 100])
    let column = NDArray<Double>(shape: [2, 1, 1], values: [1, 2])
    #expect(try Subtract().evaluate([column, pixel], [:]).values == [-9, -99, -8, -98])
  }
}
