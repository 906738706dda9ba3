// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-shared-layer.h5.
func keras2_shared_layer(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 5, height: 6, channels: 2, name: "image")
  let conv = image --> Convolution(kernel: (3, 3), channels: 2, activation: .relu, name: "conv")
  let conv_1 = Convolution(kernel: (3, 3), channels: 2, activation: .relu, name: "conv").applied(to: [conv], as: "conv:1")
  let flatten = conv_1 --> Flatten(name: "flatten")
  let fc = flatten --> Dense(neurons: 7, name: "fc")
  return try Model(
    name: "net", inputs: [image], outputs: [fc], loader: loader)
}
