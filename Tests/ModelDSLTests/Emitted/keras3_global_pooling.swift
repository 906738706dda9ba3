// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-global-pooling.h5.
func keras3_global_pooling(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 5, height: 6, channels: 2, name: "image")
  let conv = image --> Convolution(kernel: (2, 3), channels: 4, padding: .valid, name: "conv")
  let average = conv --> GlobalAveragePooling(name: "average")
  let fc = average --> Dense(neurons: 3, name: "fc")
  let maximum = conv --> GlobalMaxPooling(name: "maximum")
  let average_kept = conv --> GlobalAveragePooling(keepDimensions: true, name: "average_kept")
  let maximum_kept = conv --> GlobalMaxPooling(keepDimensions: true, name: "maximum_kept")
  return try Model(
    name: "net", inputs: [image], outputs: [fc, maximum, average_kept, maximum_kept], loader: loader)
}
