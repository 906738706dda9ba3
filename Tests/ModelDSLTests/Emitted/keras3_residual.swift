// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-residual.h5.
func keras3_residual(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 5, height: 6, channels: 3, name: "image")
  let conv_a = image --> Convolution(kernel: (2, 3), channels: 4, activation: .relu, name: "conv_a")
  let conv_b = conv_a --> Convolution(kernel: (3, 2), channels: 4, name: "conv_b")
  let add_two = Add([conv_a, conv_b], name: "add_two")
  let relu = add_two --> Activation(.relu, name: "relu")
  let conv_c = image --> Convolution(kernel: (1, 1), channels: 4, padding: .valid, name: "conv_c")
  let add_three = Add([relu, conv_b, conv_c], name: "add_three")
  let flatten = add_three --> Flatten(name: "flatten")
  let fc = flatten --> Dense(neurons: 7, name: "fc")
  return try Model(
    name: "net", inputs: [image], outputs: [fc], loader: loader)
}
