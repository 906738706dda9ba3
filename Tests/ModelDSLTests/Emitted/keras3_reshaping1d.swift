// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-reshaping1d.h5.
func keras3_reshaping1d(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [7, 3], name: "steps")
  let conv = steps --> Convolution1D(kernel: 2, channels: 4, padding: .valid, name: "conv")
  let padding = conv --> ZeroPadding1D(before: 3, after: 1, name: "padding")
  let turned = conv --> Permute(order: [1, 0], name: "turned")
  let twice = conv --> UpSampling1D(size: 2, name: "twice")
  let padded = conv --> ZeroPadding1D(before: 2, after: 2, name: "padded")
  let padded_unevenly = conv --> ZeroPadding1D(before: 1, after: 3, name: "padded_unevenly")
  let conv_padded = padding --> Convolution1D(kernel: 3, channels: 3, padding: .valid, name: "conv_padded")
  let cropped = conv --> Cropping1D(before: 2, after: 1, name: "cropped")
  let cropped_evenly = conv --> Cropping1D(before: 1, after: 1, name: "cropped_evenly")
  let enlarged = conv --> UpSampling1D(size: 3, name: "enlarged")
  let dense = conv --> Dense(neurons: 5, activation: .relu, flattens: false, name: "dense")
  let conv_turned = turned --> Convolution1D(kernel: 2, channels: 3, padding: .valid, name: "conv_turned")
  let slopes = conv --> PReLU(sharedAxes: [0], name: "slopes")
  let joined = Concatenate([conv, twice], axis: 0, name: "joined")
  return try Model(
    name: "net", inputs: [steps], outputs: [padded, padded_unevenly, conv_padded, cropped, cropped_evenly, enlarged, dense, conv_turned, slopes, joined], loader: loader)
}
