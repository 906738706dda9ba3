import ModelIR
import Operators
import Testing

@Suite struct TransposedConvolutionTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("TransposedConvolution2D", cases: 8)
    try expectTensorFlow("TransposedConvolution1D", cases: 4)
  }

  @Test func `spreads the kernel as it is`() throws {
    let convolution = TransposedConvolution2D(
      outputChannels: 1, kernelSize: Size2D(2, 3), strides: Size2D(2, 3))
    let kernel = NDArray<Double>(shape: [2, 3, 1, 1], values: [1, 2, 3, 4, 5, 6])
    let x = NDArray<Double>(shape: [1, 2, 1], values: [1, 10])
    let y = try convolution.evaluate([x], [.kernel: kernel])
    #expect(y.shape == [2, 6, 1])
    #expect(y.values == [1, 2, 3, 10, 20, 30, 4, 5, 6, 40, 50, 60])
  }

  @Test func `unknown sizes stay unknown`() throws {
    let convolution = TransposedConvolution2D(
      outputChannels: 5, kernelSize: Size2D(3, 3), strides: Size2D(2, 3), padding: .same)
    #expect(try convolution.outputShape(for: [Shape([nil, 4, 3])]) == Shape([nil, 12, 5]))
    #expect(try convolution.outputShape(for: [Shape([4, nil, nil])]) == Shape([8, nil, 5]))
  }

  @Test func `takes a kernel and a bias`() throws {
    let convolution = TransposedConvolution2D(outputChannels: 7, kernelSize: Size2D(3, 5))
    let specs = try convolution.parameters(for: [Shape([nil, nil, 4])])
    #expect(specs.map(\.role) == [.kernel, .bias])
    #expect(specs.map(\.kind) == [.transposedConvolution, .vector])
    #expect(try specs[0].layout.shape(specs[0].sizes) == [3, 5, 7, 4])
    #expect(try specs[1].layout.shape(specs[1].sizes) == [7])
    #expect(specs.map(\.isOptional) == [false, true])
  }

  @Test(arguments: [
    (
      TransposedConvolution2D(outputChannels: 0, kernelSize: .one),
      "outputChannels is 0, expected a number from 1 to 1048576"
    ),
    (
      TransposedConvolution2D(outputChannels: 1, kernelSize: Size2D(1, 0)),
      "kernelSize is 0, expected a number from 1 to 1048576"
    ),
    (
      TransposedConvolution2D(
        outputChannels: 1, kernelSize: .one, strides: Size2D(2, 3), outputPadding: Size2D(1, 3)),
      "outputPadding is 1 x 3, expected less than the strides, 2 x 3"
    ),
    (
      TransposedConvolution2D(
        outputChannels: 1, kernelSize: Size2D(2, 2), strides: Size2D(3, 3), padding: .same,
        outputPadding: Size2D(0, 0)),
      "the output would have a side of 9, which 4 windows with a stride of 3 do not cover; a larger "
        + "outputPadding would"
    ),
    (
      TransposedConvolution2D(outputChannels: 1, kernelSize: .one, padding: .causal),
      "padding is causal, which a transposed convolution does not have; expected same, valid or a "
        + "list of sides"
    ),
    (
      TransposedConvolution2D(
        outputChannels: 1, kernelSize: .one, activation: .softmax(axis: 3)),
      "axis 3 does not exist in an input of rank 3 (the batch is not counted)"
    ),
  ])
  func `refuses attributes out of range`(convolution: TransposedConvolution2D, text: String) {
    #expect(
      message { () throws(NetconvError) in
        _ = try convolution.outputShape(for: [Shape([4, 4, 4])])
      } == text)
  }

  @Test func `names an attribute that it does not know`() {
    #expect(
      decodingProblem(
        TransposedConvolution2D.self, #"{"outputChannels": 1, "kernelSize": [1, 1], "groups": 2}"#)
        == "unknown key 'groups'")
  }
}
