// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-activation-layers.h5.
func keras3_activation_layers(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 3, height: 4, channels: 2, name: "image")
  let conv = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, name: "conv")
  let linear = conv --> Activation(.linear, name: "linear")
  let layer_relu = linear --> Activation(.relu, name: "layer_relu")
  let layer_sigmoid = linear --> Activation(.sigmoid, name: "layer_sigmoid")
  let layer_tanh = linear --> Activation(.tanh, name: "layer_tanh")
  let layer_softmax = linear --> Softmax(name: "layer_softmax")
  let layer_elu = linear --> Activation(.elu(alpha: 1.0), name: "layer_elu")
  let relu_plain = linear --> Activation(.relu, name: "relu_plain")
  let relu6 = linear --> Activation(.relu6, name: "relu6")
  let relu_all = linear --> Activation(.relu(maxValue: 0.75, negativeSlope: 0.1, threshold: 0.25), name: "relu_all")
  let relu_slope = linear --> Activation(.relu(maxValue: nil, negativeSlope: 0.3, threshold: 0.0), name: "relu_slope")
  let relu_threshold = linear --> Activation(.relu(maxValue: nil, negativeSlope: 0.0, threshold: 0.5), name: "relu_threshold")
  let leaky = linear --> Activation(.leakyReLU(negativeSlope: 0.3), name: "leaky")
  let leaky_slope = linear --> Activation(.leakyReLU(negativeSlope: 0.2), name: "leaky_slope")
  let elu = linear --> Activation(.elu(alpha: 1.0), name: "elu")
  let elu_alpha = linear --> Activation(.elu(alpha: 0.7), name: "elu_alpha")
  let softmax = linear --> Softmax(name: "softmax")
  let softmax_rows = linear --> Activation(.softmax(axis: 0), name: "softmax_rows")
  return try Model(
    name: "net", inputs: [image], outputs: [layer_relu, layer_sigmoid, layer_tanh, layer_softmax, layer_elu, relu_plain, relu6, relu_all, relu_slope, relu_threshold, leaky, leaky_slope, elu, elu_alpha, softmax, softmax_rows], loader: loader)
}
