// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-activation-arguments.h5.
func keras3_activation_arguments(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 3, height: 4, channels: 2, name: "image")
  let conv_linear = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, name: "conv_linear")
  let conv_relu = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, activation: .relu, name: "conv_relu")
  let conv_sigmoid = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, activation: .sigmoid, name: "conv_sigmoid")
  let conv_tanh = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, activation: .tanh, name: "conv_tanh")
  let conv_softmax = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, activation: .softmax(axis: -1), name: "conv_softmax")
  let conv_elu = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, activation: .elu(alpha: 1.0), name: "conv_elu")
  let conv_relu6 = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, activation: .relu6, name: "conv_relu6")
  let conv_leaky_relu = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, activation: .leakyReLU(negativeSlope: 0.2), name: "conv_leaky_relu")
  let flatten_0 = conv_linear --> Flatten(name: "flatten_0")
  let flatten_1 = conv_relu --> Flatten(name: "flatten_1")
  let flatten_2 = conv_sigmoid --> Flatten(name: "flatten_2")
  let flatten_3 = conv_tanh --> Flatten(name: "flatten_3")
  let flatten_4 = conv_softmax --> Flatten(name: "flatten_4")
  let flatten_5 = conv_elu --> Flatten(name: "flatten_5")
  let flatten_6 = conv_relu6 --> Flatten(name: "flatten_6")
  let flatten_7 = conv_leaky_relu --> Flatten(name: "flatten_7")
  let dense_linear = flatten_0 --> Dense(neurons: 4, name: "dense_linear")
  let dense_relu = flatten_1 --> Dense(neurons: 4, activation: .relu, name: "dense_relu")
  let dense_sigmoid = flatten_2 --> Dense(neurons: 4, activation: .sigmoid, name: "dense_sigmoid")
  let dense_tanh = flatten_3 --> Dense(neurons: 4, activation: .tanh, name: "dense_tanh")
  let dense_softmax = flatten_4 --> Dense(neurons: 4, activation: .softmax(axis: -1), name: "dense_softmax")
  let dense_elu = flatten_5 --> Dense(neurons: 4, activation: .elu(alpha: 1.0), name: "dense_elu")
  let dense_relu6 = flatten_6 --> Dense(neurons: 4, activation: .relu6, name: "dense_relu6")
  let dense_leaky_relu = flatten_7 --> Dense(neurons: 4, activation: .leakyReLU(negativeSlope: 0.2), name: "dense_leaky_relu")
  return try Model(
    name: "net", inputs: [image], outputs: [conv_linear, dense_linear, conv_relu, dense_relu, conv_sigmoid, dense_sigmoid, conv_tanh, dense_tanh, conv_softmax, dense_softmax, conv_elu, dense_elu, conv_relu6, dense_relu6, conv_leaky_relu, dense_leaky_relu], loader: loader)
}
