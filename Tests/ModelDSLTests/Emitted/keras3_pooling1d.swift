// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-pooling1d.h5.
func keras3_pooling1d(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [11, 3], name: "steps")
  let conv = steps --> Convolution1D(kernel: 2, channels: 5, padding: .valid, name: "conv")
  let max_valid = conv --> MaxPooling1D(kernel: 3, name: "max_valid")
  let max_same = conv --> MaxPooling1D(kernel: 4, stride: 3, padding: .same, name: "max_same")
  let mean_valid = conv --> AveragePooling1D(kernel: 3, stride: 1, name: "mean_valid")
  let mean_same = conv --> AveragePooling1D(kernel: 4, padding: .same, name: "mean_same")
  let max = conv --> GlobalMaxPooling1D(name: "max")
  let mean = conv --> GlobalAveragePooling1D(name: "mean")
  let max_kept = conv --> GlobalMaxPooling1D(keepDimensions: true, name: "max_kept")
  let mean_kept = conv --> GlobalAveragePooling1D(keepDimensions: true, name: "mean_kept")
  return try Model(
    name: "net", inputs: [steps], outputs: [max_valid, max_same, mean_valid, mean_same, max, mean, max_kept, mean_kept], loader: loader)
}
