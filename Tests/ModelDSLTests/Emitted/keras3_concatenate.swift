// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-concatenate.h5.
func keras3_concatenate(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 5, height: 6, channels: 3, name: "image")
  let conv_a = image --> Convolution(kernel: (2, 3), channels: 4, name: "conv_a")
  let conv_b = image --> Convolution(kernel: (3, 2), channels: 2, name: "conv_b")
  let conv_c = image --> Convolution(kernel: (1, 3), channels: 4, padding: .valid, name: "conv_c")
  let channels = Concatenate([conv_a, conv_b, image], name: "channels")
  let rows = Concatenate([conv_a, conv_c], axis: 0, name: "rows")
  let flat_deep = channels --> Flatten(name: "flat_deep")
  let flat_tall = rows --> Flatten(name: "flat_tall")
  let joined = Concatenate([flat_deep, flat_tall], name: "joined")
  let fc = joined --> Dense(neurons: 7, name: "fc")
  return try Model(
    name: "net", inputs: [image], outputs: [fc, rows], loader: loader)
}
