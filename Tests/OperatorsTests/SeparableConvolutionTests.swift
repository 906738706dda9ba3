import ModelIR
import Operators
import Testing

@Suite struct SeparableConvolutionTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("SeparableConvolution2D", cases: 3)
    try expectTensorFlow("SeparableConvolution1D", cases: 3)
  }

  @Test func `unknown sizes stay unknown`() throws {
    let convolution = SeparableConvolution2D(
      outputChannels: 7, kernelSize: Size2D(3, 3), strides: Size2D(2, 2))
    #expect(try convolution.outputShape(for: [Shape([nil, 8, 3])]) == Shape([nil, 3, 7]))
  }

  @Test func `takes two kernels and a bias`() throws {
    let convolution = SeparableConvolution2D(
      outputChannels: 7, kernelSize: Size2D(3, 5), depthMultiplier: 2)
    let specs = try convolution.parameters(for: [Shape([nil, nil, 4])])
    #expect(specs.map(\.role) == [.depthwise, .pointwise, .bias])
    #expect(specs.map(\.kind) == [.depthwise, .convolution, .vector])
    #expect(try specs[0].layout.shape(specs[0].sizes) == [3, 5, 4, 2])
    #expect(try specs[1].layout.shape(specs[1].sizes) == [1, 1, 8, 7])
    #expect(try specs[2].layout.shape(specs[2].sizes) == [7])
    #expect(specs.map(\.isOptional) == [false, false, true])
  }

  @Test(arguments: [
    (
      SeparableConvolution2D(outputChannels: 0, kernelSize: .one),
      "outputChannels is 0, expected a number from 1 to 1048576"
    ),
    (
      SeparableConvolution2D(outputChannels: 1, kernelSize: .one, depthMultiplier: 0),
      "depthMultiplier is 0, expected a number from 1 to 1048576"
    ),
  ])
  func `refuses attributes out of range`(convolution: SeparableConvolution2D, text: String) {
    #expect(
      message { () throws(NetconvError) in
        _ = try convolution.outputShape(for: [Shape([4, 4, 4])])
      } == text)
  }
}
