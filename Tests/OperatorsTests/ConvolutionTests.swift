import ModelIR
import Operators
import Testing

@Suite struct ConvolutionTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Convolution2D", cases: 16)
    try expectTensorFlow("Convolution1D", cases: 15)
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

  @Test func `a causal output sees nothing that comes after it`() throws {
    let convolution = Convolution1D(
      outputChannels: 1, kernelSize: Size1D(3), dilation: Size1D(2), padding: .causal)
    let kernel = NDArray<Double>(shape: [3, 1, 1], values: [1, 10, 100])
    for place in 0..<7 {
      var x = try NDArray<Double>(shape: [7, 1])
      x.values[place] = 1
      let y = try convolution.evaluate([x], [.kernel: kernel])
      #expect(y.shape == [7, 1])
      // The last tap is at the step itself, the others two and four steps before it.
      let taps: [Int: Double] = [0: 100, 2: 10, 4: 1]
      let expected = (0..<7).map { taps[$0 - place] ?? 0 }
      #expect(y.values == expected)
    }
  }

  @Test func `causal padding is for sequences`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Convolution2D(outputChannels: 1, kernelSize: .one, padding: .causal)
          .outputShape(for: [Shape([2, 2, 1])])
      } == "padding is causal, which is for sequences; the window has 2 spatial axes")
  }

  @Test func `sizes and shapes of sequences are told from those of images`() {
    #expect(
      decodingProblem(Convolution1D.self, #"{"outputChannels": 1, "kernelSize": [3, 3]}"#)
        == "found 2 numbers, expected [length]")
    #expect(
      message { () throws(NetconvError) in
        _ = try Convolution1D(outputChannels: 1, kernelSize: Size1D(3))
          .outputShape(for: [Shape([8, 8, 1])])
      } == "the input has shape (8, 8, 1), expected (length, channels)")
  }

  @Test func `over a sequence is over an image of one row`() throws {
    let convolution = Convolution1D(
      outputChannels: 4, kernelSize: Size1D(3), strides: Size1D(2), groups: 2, padding: .same,
      activation: .relu)
    let x = NDArray<Double>(shape: [7, 4], values: (0..<28).map { Double($0 * 7 % 11) - 5 })
    let kernel = NDArray<Double>(
      shape: [3, 2, 4], values: (0..<24).map { Double($0 * 5 % 13) - 6 })
    let y = try convolution.evaluate([x], [.kernel: kernel])
    let planar = try convolution.planar.evaluate(
      [x.reshaped([1, 7, 4])], [.kernel: kernel.reshaped([1, 3, 2, 4])])
    #expect(planar.reshaped(y.shape) == y)
  }
}
