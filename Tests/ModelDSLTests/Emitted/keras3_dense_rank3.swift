// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-dense-rank3.h5.
func keras3_dense_rank3(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 5, height: 6, channels: 2, name: "image")
  let conv = image --> Convolution(kernel: (3, 2), channels: 4, padding: .valid, name: "conv")
  let reshape = conv --> Reshape(shape: [-1, 4], name: "reshape")
  let fc1 = reshape --> Dense(neurons: 7, activation: .relu, flattens: false, name: "fc1")
  let flatten = fc1 --> Flatten(name: "flatten")
  let fc2 = flatten --> Dense(neurons: 3, name: "fc2")
  return try Model(
    name: "net", inputs: [image], outputs: [fc2], loader: loader)
}
