import ModelIR
import Operators
import Testing

@Suite struct Convolution2DTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Convolution2D", cases: 16)
  }

  @Test func `slides the kernel without turning it`() throws {
    let convolution = Convolution2D(outputChannels: 1, kernelSize: Size2D(2, 2))
    let kernel = NDArray<Double>(shape: [2, 2, 1, 1], values: [1, 10, 100, 1000])
    let y = try convolution.evaluate([image([[1, 2, 3], [4, 5, 6]])], [.kernel: kernel])
    #expect(y == image([[1 + 20 + 400 + 5000, 2 + 30 + 500 + 6000]]))
  }

  @Test func `same padding with stride 2 pads the far edge of an even image`() throws {
    let convolution = Convolution2D(
      outputChannels: 1, kernelSize: Size2D(1, 3), strides: Size2D(1, 2), padding: .same)
    let kernel = NDArray<Double>(shape: [1, 3, 1, 1], values: [1, 10, 100])
    let even = try convolution.evaluate([image([[1, 2, 3, 4]])], [.kernel: kernel])
    #expect(even == image([[321, 43]]))
    let odd = try convolution.evaluate([image([[1, 2, 3, 4, 5]])], [.kernel: kernel])
    #expect(odd == image([[210, 432, 54]]))
  }

  @Test func `dilation spreads the taps`() throws {
    let convolution = Convolution2D(
      outputChannels: 1, kernelSize: Size2D(1, 2), dilation: Size2D(1, 3))
    let kernel = NDArray<Double>(shape: [1, 2, 1, 1], values: [1, 10])
    let y = try convolution.evaluate([image([[1, 2, 3, 4, 5]])], [.kernel: kernel])
    #expect(y == image([[41, 52]]))
  }

  @Test func `a window that sees only padding gives the bias`() throws {
    let convolution = Convolution2D(
      outputChannels: 1, kernelSize: Size2D(1, 2), dilation: Size2D(1, 3), padding: .same)
    let kernel = NDArray<Double>(shape: [1, 2, 1, 1], values: [1, 10])
    let bias = NDArray<Double>(shape: [1], values: [7])
    let y = try convolution.evaluate([image([[5]])], [.kernel: kernel, .bias: bias])
    #expect(y == image([[7]]))
  }

  @Test func `each group sees its own channels`() throws {
    let convolution = Convolution2D(outputChannels: 4, kernelSize: .one, groups: 2)
    let kernel = NDArray<Double>(shape: [1, 1, 1, 4], values: [1, 2, 3, 4])
    let x = NDArray<Double>(shape: [1, 1, 2], values: [10, 100])
    let y = try convolution.evaluate([x], [.kernel: kernel])
    #expect(y.values == [10, 20, 300, 400])
  }

  @Test func `the activation comes after the bias`() throws {
    let convolution = Convolution2D(outputChannels: 2, kernelSize: .one, activation: .relu)
    let kernel = NDArray<Double>(shape: [1, 1, 1, 2], values: [1, 1])
    let bias = NDArray<Double>(shape: [2], values: [-3, -1])
    let y = try convolution.evaluate([image([[2]])], [.kernel: kernel, .bias: bias])
    #expect(y.values == [0, 1])
  }

  @Test func `unknown sizes stay unknown`() throws {
    let convolution = Convolution2D(
      outputChannels: 7, kernelSize: Size2D(3, 3), strides: Size2D(2, 2))
    #expect(try convolution.outputShape(for: [Shape([nil, 8, 3])]) == Shape([nil, 3, 7]))
    #expect(try convolution.outputShape(for: [Shape([9, nil, nil])]) == Shape([4, nil, 7]))
  }

  @Test func `an image smaller than the kernel has no output`() throws {
    let convolution = Convolution2D(outputChannels: 1, kernelSize: Size2D(3, 3))
    #expect(try convolution.outputShape(for: [Shape([2, 5, 1])]) == Shape([0, 3, 1]))
  }

  @Test func `takes a kernel with the channels of a group, and a bias`() throws {
    let convolution = Convolution2D(outputChannels: 6, kernelSize: Size2D(3, 5), groups: 2)
    let specs = try convolution.parameters(for: [Shape([nil, nil, 4])])
    #expect(specs.map(\.role) == [.kernel, .bias])
    #expect(try specs[0].layout.shape(specs[0].sizes) == [3, 5, 2, 6])
    #expect(try specs[1].layout.shape(specs[1].sizes) == [6])
    #expect(specs.map(\.isOptional) == [false, true])
  }

  @Test(arguments: [
    (
      Convolution2D(outputChannels: 0, kernelSize: .one),
      "outputChannels is 0, expected a number from 1 to 1048576"
    ),
    (
      Convolution2D(outputChannels: 1, kernelSize: Size2D(3, -1)),
      "kernelSize is -1, expected a number from 1 to 1048576"
    ),
    (
      Convolution2D(outputChannels: 1, kernelSize: .one, strides: Size2D(0, 1)),
      "strides is 0, expected a number from 1 to 1048576"
    ),
    (
      Convolution2D(outputChannels: 1, kernelSize: .one, dilation: Size2D(1, 2_000_000)),
      "dilation is 2000000, expected a number from 1 to 1048576"
    ),
    (
      Convolution2D(outputChannels: 1, kernelSize: .one, groups: 0),
      "groups is 0, expected a number from 1 to 1048576"
    ),
    (
      Convolution2D(outputChannels: 1, kernelSize: .one, activation: .softmax(axis: 3)),
      "axis 3 does not exist in an input of rank 3 (the batch is not counted)"
    ),
  ])
  func `refuses attributes out of range`(convolution: Convolution2D, text: String) {
    #expect(
      message { () throws(NetconvError) in
        _ = try convolution.outputShape(for: [Shape([4, 4, 4])])
      } == text)
  }

  @Test func `refuses groups that do not divide the channels`() {
    let convolution = Convolution2D(outputChannels: 4, kernelSize: .one, groups: 2)
    #expect(
      message { () throws(NetconvError) in
        _ = try convolution.parameters(for: [Shape([4, 4, 3])])
      } == "2 groups do not divide 3 input and 4 output channels")
  }

  @Test func `refuses a vector`() {
    let convolution = Convolution2D(outputChannels: 4, kernelSize: .one)
    #expect(
      message { () throws(NetconvError) in
        _ = try convolution.outputShape(for: [Shape([nil, 3])])
      } == "the input has shape (None, 3), expected (height, width, channels)")
  }

  @Test func `names an attribute that it does not know`() {
    #expect(
      decodingProblem(
        Convolution2D.self, #"{"outputChannels": 1, "kernelSize": [1, 1], "stride": [1, 1]}"#)
        == "unknown key 'stride'; did you mean 'strides'?")
    #expect(
      decodingProblem(Convolution2D.self, #"{"outputChannels": 1, "kernelSize": [1]}"#)
        == "found 1 numbers, expected [height, width]")
  }
}
