import ModelIR
import Operators
import Testing

@Suite struct AveragePoolingTests {
  @Test func `agrees with TensorFlow`() throws {
    // A division by the number of pixels, rounded to float32.
    try expectTensorFlow("AveragePooling2D", cases: 16, tolerance: functionTolerance)
    try expectTensorFlow("AveragePooling1D", cases: 8, tolerance: functionTolerance)
  }

  @Test func `same padding is left out of the mean`() throws {
    let pooling = AveragePooling2D(poolSize: Size2D(2, 2), padding: .same)
    let y = try pooling.evaluate([image([[1, 3, 5], [5, 7, 9], [2, 4, 8]])], [:])
    #expect(y == image([[4, 7], [3, 8]]))
  }

  @Test func `valid windows stay inside`() throws {
    let pooling = AveragePooling2D(poolSize: Size2D(1, 2), strides: Size2D(1, 1))
    #expect(try pooling.evaluate([image([[1, 3, 7]])], [:]) == image([[2, 5]]))
    #expect(try pooling.outputShape(for: [Shape([nil, 4, 2])]) == Shape([nil, 3, 2]))
  }

  @Test func `windows do not overlap by default`() throws {
    let pooling = AveragePooling2D(poolSize: Size2D(3, 2))
    #expect(try decode(AveragePooling2D.self, #"{"poolSize": [3, 2]}"#) == pooling)
    #expect(pooling.strides == Size2D(3, 2))
  }

  @Test func `refuses a negative stride`() {
    let pooling = AveragePooling2D(poolSize: .one, strides: Size2D(1, -2))
    #expect(
      message { () throws(NetconvError) in
        _ = try pooling.outputShape(for: [Shape([2, 2, 1])])
      } == "strides is -2, expected a number from 1 to 1048576")
  }
}
