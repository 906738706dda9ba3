// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-depthwise.h5.
func keras2_depthwise(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 14, height: 11, channels: 3, name: "image")
  let conv1 = image --> DepthwiseConvolution(kernel: (2, 3), multiplier: 2, activation: .relu, name: "conv1")
  let conv2 = conv1 --> DepthwiseConvolution(kernel: (3, 2), stride: (2, 2), padding: .valid, useBias: false, name: "conv2")
  let conv3 = conv2 --> DepthwiseConvolution(kernel: (2, 3), dilation: (2, 2), name: "conv3")
  let conv4 = conv3 --> DepthwiseConvolution(kernel: (3, 4), stride: (2, 2), activation: .tanh, name: "conv4")
  return try Model(
    name: "net", inputs: [image], outputs: [conv4], loader: loader)
}
