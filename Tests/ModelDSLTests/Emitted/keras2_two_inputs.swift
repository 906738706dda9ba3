// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-two-inputs.h5.
func keras2_two_inputs(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let left = Input(width: 5, height: 6, channels: 3, name: "left")
  let right = Input(shape: [4, 2], name: "right")
  let flatten_right = right --> Flatten(name: "flatten_right")
  let conv = left --> Convolution(kernel: (2, 3), channels: 4, padding: .valid, activation: .relu, name: "conv")
  let fc_right = flatten_right --> Dense(neurons: 7, activation: .tanh, name: "fc_right")
  let flatten_left = conv --> Flatten(name: "flatten_left")
  let join = Concatenate([fc_right, flatten_left], name: "join")
  let kind = join --> Dense(neurons: 3, activation: .softmax(axis: -1), name: "kind")
  let size = join --> Dense(neurons: 2, name: "size")
  return try Model(
    name: "net", inputs: [left, right], outputs: [kind, size], loader: loader)
}
