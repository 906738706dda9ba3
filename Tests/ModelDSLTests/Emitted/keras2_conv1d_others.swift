// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-conv1d-others.h5.
func keras2_conv1d_others(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [11, 3], name: "steps")
  let depthwise = steps --> DepthwiseConvolution1D(kernel: 3, padding: .valid, name: "depthwise")
  let depthwise_multiplied = steps --> DepthwiseConvolution1D(kernel: 4, multiplier: 2, stride: 2, activation: .relu, name: "depthwise_multiplied")
  let depthwise_dilated = steps --> DepthwiseConvolution1D(kernel: 3, dilation: 2, padding: .valid, useBias: false, name: "depthwise_dilated")
  let separable = steps --> SeparableConvolution1D(kernel: 3, channels: 5, padding: .valid, name: "separable")
  let separable_multiplied = steps --> SeparableConvolution1D(kernel: 4, channels: 4, multiplier: 2, stride: 2, activation: .relu, name: "separable_multiplied")
  let separable_dilated = steps --> SeparableConvolution1D(kernel: 3, channels: 4, dilation: 2, padding: .valid, useBias: false, name: "separable_dilated")
  let transposed = steps --> TransposedConvolution1D(kernel: 3, channels: 4, padding: .valid, name: "transposed")
  let transposed_same = steps --> TransposedConvolution1D(kernel: 4, channels: 5, stride: 2, activation: .relu, name: "transposed_same")
  let transposed_apart = steps --> TransposedConvolution1D(kernel: 2, channels: 4, stride: 3, padding: .valid, useBias: false, name: "transposed_apart")
  let transposed_padded = steps --> TransposedConvolution1D(kernel: 3, channels: 4, stride: 2, padding: .valid, outputPadding: 1, name: "transposed_padded")
  let separable_causal = steps --> SeparableConvolution1D(kernel: 3, channels: 4, dilation: 2, padding: .causal, name: "separable_causal")
  return try Model(
    name: "net", inputs: [steps], outputs: [depthwise, depthwise_multiplied, depthwise_dilated, separable, separable_multiplied, separable_dilated, transposed, transposed_same, transposed_apart, transposed_padded, separable_causal], loader: loader)
}
