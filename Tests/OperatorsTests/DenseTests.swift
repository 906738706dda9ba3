import ModelIR
import Operators
import Testing

@Suite struct DenseTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Dense", cases: 3)
  }

  @Test func `multiplies rows of the kernel`() throws {
    let kernel = NDArray<Double>(shape: [2, 3], values: [1, 2, 3, 10, 20, 30])
    let bias = NDArray<Double>(shape: [3], values: [0, 0, -100])
    let x = NDArray<Double>(shape: [2], values: [1, 2])
    let y = try Dense(units: 3).evaluate([x], [.kernel: kernel, .bias: bias])
    #expect(y == NDArray(shape: [3], values: [21, 42, -37]))
  }

  @Test func `softmax acts on the units`() throws {
    let kernel = NDArray<Double>(shape: [1, 2], values: [1, 1])
    let x = NDArray<Double>(shape: [3, 1], values: [1, 2, 3])
    let y = try Dense(units: 2, activation: .softmax(axis: -1)).evaluate([x], [.kernel: kernel])
    #expect(y == NDArray(shape: [3, 2], values: Array(repeating: 0.5, count: 6)))
  }

  @Test func `leaves all axes but the last, unknown ones too`() throws {
    #expect(
      try Dense(units: 5).outputShape(for: [Shape([nil, 4, 3])]) == Shape([nil, 4, 5]))
  }

  @Test func `needs to know the features`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Dense(units: 5).parameters(for: [Shape([4, nil])])
      }
        == "the input has shape (4, None); this layer needs every size that it mixes to be known, "
        + "so fix the size of the model's input")
  }

  @Test func `takes a kernel whose rows are the features, and a bias`() throws {
    let specs = try Dense(units: 5).parameters(for: [Shape([4, 3])])
    #expect(try specs.map { try $0.layout.shape($0.sizes) } == [[3, 5], [5]])
    #expect(specs[0].featureAxis == .inputChannels)
  }

  @Test func `refuses a scalar and no units`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Dense(units: 5).outputShape(for: [Shape([] as [Int])])
      } == "the input has shape (), expected at least one axis")
    #expect(
      message { () throws(NetconvError) in
        _ = try Dense(units: 0).outputShape(for: [Shape([3])])
      } == "units is 0, expected a number from 1 to 1048576")
  }
}
