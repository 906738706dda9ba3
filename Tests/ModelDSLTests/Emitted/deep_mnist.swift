// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model deep_mnist, as netconv has read it from deep-mnist.h5.
func deep_mnist(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 28, height: 28, channels: 1, name: "image")
  let conv1 = image --> Convolution(kernel: (5, 5), channels: 32, activation: .relu, name: "conv1")
  let pool1 = conv1 --> MaxPooling(kernel: (2, 2), name: "pool1")
  let conv2 = pool1 --> Convolution(kernel: (5, 5), channels: 64, activation: .relu, name: "conv2")
  let pool2 = conv2 --> MaxPooling(kernel: (2, 2), name: "pool2")
  let flatten = pool2 --> Flatten(name: "flatten")
  let fc1 = flatten --> Dense(neurons: 1024, activation: .relu, name: "fc1")
  let dropout = fc1 --> Identity(name: "dropout")
  let fc2 = dropout --> Dense(neurons: 10, activation: .softmax(axis: -1), name: "fc2")
  return try Model(
    name: "deep_mnist", inputs: [image], outputs: [fc2], loader: loader)
}
