// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-merges.h5.
func keras2_merges(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 5, height: 6, channels: 3, name: "image")
  let conv_a = image --> Convolution(kernel: (2, 3), channels: 4, name: "conv_a")
  let conv_b = image --> Convolution(kernel: (3, 2), channels: 4, name: "conv_b")
  let squeeze = conv_a --> GlobalAveragePooling(keepDimensions: true, name: "squeeze")
  let excite = squeeze --> Convolution(kernel: (1, 1), channels: 4, padding: .valid, activation: .sigmoid, name: "excite")
  let mask = conv_b --> Convolution(kernel: (1, 1), channels: 1, padding: .valid, name: "mask")
  let difference = Subtract([conv_a, conv_b], name: "difference")
  let scaled = Multiply([conv_a, excite], name: "scaled")
  let three = Multiply([conv_a, conv_b, mask], name: "three")
  let mean = Average([conv_a, conv_b, excite], name: "mean")
  let largest = Maximum([conv_a, conv_b], name: "largest")
  let smallest = Minimum([conv_a, mask], name: "smallest")
  let sum = Add([excite, conv_b], name: "sum")
  return try Model(
    name: "net", inputs: [image], outputs: [difference, scaled, three, mean, largest, smallest, sum], loader: loader)
}
