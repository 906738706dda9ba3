// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-conv-groups.h5.
func keras3_conv_groups(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 7, height: 9, channels: 4, name: "image")
  let conv1 = image --> Convolution(kernel: (2, 3), channels: 6, groups: 2, padding: .valid, activation: .relu, name: "conv1")
  let conv2 = conv1 --> Convolution(kernel: (3, 2), channels: 3, groups: 3, name: "conv2")
  return try Model(
    name: "net", inputs: [image], outputs: [conv2], loader: loader)
}
