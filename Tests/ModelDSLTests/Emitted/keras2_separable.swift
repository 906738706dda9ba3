// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-separable.h5.
func keras2_separable(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 14, height: 11, channels: 3, name: "image")
  let conv1 = image --> SeparableConvolution(kernel: (2, 3), channels: 5, multiplier: 2, activation: .relu, name: "conv1")
  let conv2 = conv1 --> SeparableConvolution(kernel: (3, 2), channels: 7, stride: (2, 2), padding: .valid, useBias: false, name: "conv2")
  let conv3 = conv2 --> SeparableConvolution(kernel: (2, 3), channels: 4, dilation: (2, 2), name: "conv3")
  return try Model(
    name: "net", inputs: [image], outputs: [conv3], loader: loader)
}
