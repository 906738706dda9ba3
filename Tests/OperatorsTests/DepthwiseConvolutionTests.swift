import ModelIR
import Operators
import Testing

@Suite struct DepthwiseConvolutionTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("DepthwiseConvolution2D", cases: 8)
    try expectTensorFlow("DepthwiseConvolution1D", cases: 3)
  }

  @Test func `the outputs of a channel lie side by side`() throws {
    let convolution = DepthwiseConvolution2D(kernelSize: .one, depthMultiplier: 2)
    let kernel = NDArray<Double>(shape: [1, 1, 3, 2], values: [1, 2, 3, 4, 5, 6])
    let x = NDArray<Double>(shape: [1, 1, 3], values: [1, 10, 100])
    let bias = NDArray<Double>(shape: [6], values: [0, 0, 0, 0, 0, 0.5])
    let y = try convolution.evaluate([x], [.kernel: kernel, .bias: bias])
    #expect(y.values == [1, 2, 30, 40, 500, 600.5])
  }

  @Test func `unknown sizes stay unknown`() throws {
    let convolution = DepthwiseConvolution2D(
      kernelSize: Size2D(3, 3), depthMultiplier: 2, strides: Size2D(2, 2))
    #expect(try convolution.outputShape(for: [Shape([nil, 8, 3])]) == Shape([nil, 3, 6]))
    #expect(try convolution.outputShape(for: [Shape([9, nil, nil])]) == Shape([4, nil, nil]))
  }

  @Test func `takes a kernel for each channel, and a bias`() throws {
    let convolution = DepthwiseConvolution2D(kernelSize: Size2D(3, 5), depthMultiplier: 2)
    let specs = try convolution.parameters(for: [Shape([nil, nil, 4])])
    #expect(specs.map(\.role) == [.kernel, .bias])
    #expect(specs.map(\.kind) == [.depthwise, .vector])
    #expect(try specs[0].layout.shape(specs[0].sizes) == [3, 5, 4, 2])
    #expect(try specs[1].layout.shape(specs[1].sizes) == [8])
    #expect(specs.map(\.isOptional) == [false, true])
  }

  @Test(arguments: [
    (
      DepthwiseConvolution2D(kernelSize: Size2D(0, 1)),
      "kernelSize is 0, expected a number from 1 to 1048576"
    ),
    (
      DepthwiseConvolution2D(kernelSize: .one, depthMultiplier: -1),
      "depthMultiplier is -1, expected a number from 1 to 1048576"
    ),
    (
      DepthwiseConvolution2D(kernelSize: .one, activation: .softmax(axis: 3)),
      "axis 3 does not exist in an input of rank 3 (the batch is not counted)"
    ),
  ])
  func `refuses attributes out of range`(convolution: DepthwiseConvolution2D, text: String) {
    #expect(
      message { () throws(NetconvError) in
        _ = try convolution.outputShape(for: [Shape([4, 4, 4])])
      } == text)
  }

  @Test func `names an attribute that it does not know`() {
    #expect(
      decodingProblem(DepthwiseConvolution2D.self, #"{"kernelSize": [1, 1], "groups": 2}"#)
        == "unknown key 'groups'")
  }
}
