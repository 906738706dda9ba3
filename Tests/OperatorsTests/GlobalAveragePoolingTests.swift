import ModelIR
import Operators
import Testing

@Suite struct GlobalAveragePoolingTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("GlobalAveragePooling2D", cases: 2, tolerance: functionTolerance)
    try expectTensorFlow("GlobalAveragePooling1D", cases: 2, tolerance: functionTolerance)
  }

  @Test func `reduces each channel apart`() throws {
    let x = NDArray<Double>(shape: [1, 3, 2], values: [1, -1, 3, 6, 5, 1])
    #expect(try GlobalAveragePooling2D().evaluate([x], [:]) == NDArray(shape: [2], values: [3, 2]))
    let kept = try GlobalAveragePooling2D(keepDimensions: true).evaluate([x], [:])
    #expect(kept == NDArray(shape: [1, 1, 2], values: [3, 2]))
  }

  @Test func `needs no size but the channels`() throws {
    #expect(try GlobalAveragePooling2D().outputShape(for: [Shape([nil, nil, 7])]) == Shape([7]))
    #expect(
      try GlobalAveragePooling2D(keepDimensions: true).outputShape(for: [Shape([nil, 2, nil])])
        == Shape([1, 1, nil]))
  }

  @Test func `a NaN in a channel is its result`() throws {
    let x = NDArray<Double>(shape: [2, 1, 2], values: [1, 2, .nan, 2])
    let y = try GlobalAveragePooling2D().evaluate([x], [:])
    #expect(y.values[0].isNaN)
    #expect(y.values[1] == 2)
  }

  @Test func `refuses a vector`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try GlobalAveragePooling2D().outputShape(for: [Shape([3])])
      } == "the input has shape (3), expected (height, width, channels)")
  }
}
