import ModelIR
import Operators
import Testing

@Suite struct GlobalMaxPoolingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("GlobalMaxPooling2D", cases: 2)
    try expectTensorFlow("GlobalMaxPooling1D", cases: 2)
  }

  @Test func `reduces each channel apart`() throws {
    let x = NDArray<Double>(shape: [1, 3, 2], values: [1, -1, 3, 6, 5, 1])
    #expect(try GlobalMaxPooling2D().evaluate([x], [:]) == NDArray(shape: [2], values: [5, 6]))
    let kept = try GlobalMaxPooling2D(keepDimensions: true).evaluate([x], [:])
    #expect(kept == NDArray(shape: [1, 1, 2], values: [5, 6]))
  }

  @Test func `needs no size but the channels`() throws {
    #expect(try GlobalMaxPooling2D().outputShape(for: [Shape([nil, nil, 7])]) == Shape([7]))
    #expect(
      try GlobalMaxPooling2D(keepDimensions: true).outputShape(for: [Shape([nil, 2, nil])])
        == Shape([1, 1, nil]))
  }

  @Test func `a NaN in a channel is its result`() throws {
    let x = NDArray<Double>(shape: [2, 1, 2], values: [1, 2, .nan, 2])
    let y = try GlobalMaxPooling2D().evaluate([x], [:])
    #expect(y.values[0].isNaN)
    #expect(y.values[1] == 2)
  }

  @Test func `refuses a vector`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try GlobalMaxPooling2D().outputShape(for: [Shape([3])])
      } == "the input has shape (3), expected (height, width, channels)")
  }
}
