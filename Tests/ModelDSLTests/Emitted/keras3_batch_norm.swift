// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-batch-norm.h5.
func keras3_batch_norm(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 7, height: 8, channels: 2, name: "image")
  let bn_first = image --> BatchNormalization(name: "bn_first")
  let conv1 = bn_first --> Convolution(kernel: (2, 3), channels: 3, padding: .valid, useBias: false, name: "conv1")
  let bn_no_scale = conv1 --> BatchNormalization(useScale: false, name: "bn_no_scale")
  let relu = bn_no_scale --> Activation(.relu, name: "relu")
  let conv2 = relu --> Convolution(kernel: (3, 2), channels: 5, padding: .valid, name: "conv2")
  let bn_no_center = conv2 --> BatchNormalization(epsilon: 1e-05, useOffset: false, name: "bn_no_center")
  let conv3 = bn_no_center --> Convolution(kernel: (2, 1), channels: 4, padding: .valid, name: "conv3")
  let bn_plain = conv3 --> BatchNormalization(useScale: false, useOffset: false, name: "bn_plain")
  return try Model(
    name: "net", inputs: [image], outputs: [bn_plain], loader: loader)
}
