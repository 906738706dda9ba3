import ModelIR
import Operators
import Testing

@Suite struct MaxPoolingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("MaxPooling2D", cases: 16)
    try expectTensorFlow("MaxPooling1D", cases: 8)
  }

  @Test func `padding never wins against negative values`() throws {
    let pooling = MaxPooling2D(poolSize: Size2D(2, 2), padding: .same)
    let y = try pooling.evaluate([image([[-1, -2, -3], [-4, -5, -6], [-7, -8, -9]])], [:])
    #expect(y == image([[-1, -3], [-7, -9]]))
  }

  @Test func `same padding with stride 2 pads the far edge`() throws {
    let pooling = MaxPooling2D(
      poolSize: Size2D(1, 3), strides: Size2D(1, 2), padding: .same)
    #expect(try pooling.evaluate([image([[4, 3, 2, 1]])], [:]) == image([[4, 2]]))
    #expect(try pooling.evaluate([image([[5, 1, 2, 1, 0]])], [:]) == image([[5, 2, 1]]))
  }

  @Test func `a NaN anywhere in the window is the result`() throws {
    let pooling = MaxPooling2D(poolSize: Size2D(1, 3))
    for place in 0..<3 {
      var x = image([[1, 2, 3]])
      x.values[place] = .nan
      #expect(try pooling.evaluate([x], [:]).values[0].isNaN)
    }
  }

  @Test func `windows do not overlap by default`() throws {
    let pooling = MaxPooling2D(poolSize: Size2D(2, 3))
    #expect(pooling.strides == Size2D(2, 3))
    #expect(try decode(MaxPooling2D.self, #"{"poolSize": [2, 3]}"#) == pooling)
    #expect(try pooling.outputShape(for: [Shape([nil, 10, nil])]) == Shape([nil, 3, nil]))
  }

  @Test func `refuses an empty window`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try MaxPooling2D(poolSize: Size2D(0, 1)).outputShape(for: [Shape([2, 2, 1])])
      } == "poolSize is 0, expected a number from 1 to 1048576")
  }
}
