// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-pooling.h5.
func keras2_pooling(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 8, height: 11, channels: 2, name: "image")
  let conv = image --> Convolution(kernel: (1, 2), channels: 5, padding: .valid, name: "conv")
  let max_same = conv --> MaxPooling(kernel: (2, 3), padding: .same, name: "max_same")
  let max_valid = conv --> MaxPooling(kernel: (2, 3), name: "max_valid")
  let max_strided = conv --> MaxPooling(kernel: (3, 2), stride: (2, 3), padding: .same, name: "max_strided")
  let avg_same = conv --> AveragePooling(kernel: (3, 4), padding: .same, name: "avg_same")
  let avg_valid = conv --> AveragePooling(kernel: (2, 3), stride: (3, 2), name: "avg_valid")
  let avg_overlap = conv --> AveragePooling(kernel: (3, 3), stride: (1, 1), padding: .same, name: "avg_overlap")
  return try Model(
    name: "net", inputs: [image], outputs: [max_same, max_valid, max_strided, avg_same, avg_valid, avg_overlap], loader: loader)
}
