// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-conv1d.h5.
func keras3_conv1d(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [13, 3], name: "steps")
  let valid = steps --> Convolution1D(kernel: 4, channels: 5, padding: .valid, activation: .relu, name: "valid")
  let same = steps --> Convolution1D(kernel: 3, channels: 4, stride: 2, name: "same")
  let same_even = steps --> Convolution1D(kernel: 4, channels: 4, stride: 3, useBias: false, name: "same_even")
  let causal = steps --> Convolution1D(kernel: 3, channels: 5, padding: .causal, activation: .tanh, name: "causal")
  let causal_dilated = steps --> Convolution1D(kernel: 2, channels: 4, dilation: 3, padding: .causal, name: "causal_dilated")
  let causal_strided = steps --> Convolution1D(kernel: 3, channels: 3, stride: 2, padding: .causal, name: "causal_strided")
  let dilated = steps --> Convolution1D(kernel: 3, channels: 4, dilation: 2, padding: .valid, name: "dilated")
  let dilated_same = steps --> Convolution1D(kernel: 3, channels: 4, dilation: 3, name: "dilated_same")
  let groups = steps --> Convolution1D(kernel: 3, channels: 6, groups: 3, padding: .valid, name: "groups")
  return try Model(
    name: "net", inputs: [steps], outputs: [valid, same, same_even, causal, causal_dilated, causal_strided, dilated, dilated_same, groups], loader: loader)
}
