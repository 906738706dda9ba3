// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-conv1d-classifier.h5.
func keras3_conv1d_classifier(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [20, 4], name: "steps")
  let conv1 = steps --> Convolution1D(kernel: 5, channels: 6, padding: .valid, activation: .relu, name: "conv1")
  let pool1 = conv1 --> MaxPooling1D(kernel: 2, name: "pool1")
  let norm = pool1 --> BatchNormalization(name: "norm")
  let conv2 = norm --> Convolution1D(kernel: 3, channels: 8, name: "conv2")
  let relu = conv2 --> Activation(.relu, name: "relu")
  let dropout = relu --> Identity(name: "dropout")
  let flatten = dropout --> Flatten(name: "flatten")
  let fc = flatten --> Dense(neurons: 7, activation: .softmax(axis: -1), name: "fc")
  return try Model(
    name: "net", inputs: [steps], outputs: [fc], loader: loader)
}
