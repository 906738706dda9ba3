// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model lenet, as netconv has read it from lenet-blobs.
func lenet_blobs(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 28, height: 28, channels: 1, name: "image", scale: 0.00392156862745098, offset: 0.0)
  let conv1 = image --> Convolution(kernel: (3, 5), channels: 8, padding: .valid, activation: .relu, name: "conv1")
  let pool1 = conv1 --> MaxPooling(kernel: (2, 2), name: "pool1")
  let conv2 = pool1 --> Convolution(kernel: (3, 5), channels: 16, padding: .valid, activation: .relu, name: "conv2")
  let pool2 = conv2 --> MaxPooling(kernel: (2, 2), name: "pool2")
  let flatten = pool2 --> Flatten(name: "flatten")
  let fc1 = flatten --> Dense(neurons: 64, activation: .relu, name: "fc1")
  let fc2 = fc1 --> Dense(neurons: 10, activation: .softmax(axis: -1), name: "fc2")
  return try Model(
    name: "lenet", inputs: [image], outputs: [fc2], loader: loader)
}
