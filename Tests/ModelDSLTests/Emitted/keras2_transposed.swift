// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-transposed.h5.
func keras2_transposed(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 4, height: 3, channels: 2, name: "image")
  let plain = image --> TransposedConvolution(kernel: (2, 3), channels: 5, padding: .valid, activation: .relu, name: "plain")
  let wide = plain --> TransposedConvolution(kernel: (3, 2), channels: 3, stride: (4, 3), padding: .valid, name: "wide")
  let same = plain --> TransposedConvolution(kernel: (5, 3), channels: 3, stride: (3, 2), name: "same")
  let even = plain --> TransposedConvolution(kernel: (2, 4), channels: 3, stride: (2, 3), useBias: false, name: "even")
  let extra = plain --> TransposedConvolution(kernel: (4, 3), channels: 3, stride: (3, 2), padding: .valid, outputPadding: (2, 1), name: "extra")
  let extra_same = plain --> TransposedConvolution(kernel: (5, 3), channels: 3, stride: (3, 2), outputPadding: (0, 1), name: "extra_same")
  let dilated = plain --> TransposedConvolution(kernel: (2, 3), channels: 3, dilation: (2, 2), padding: .valid, activation: .tanh, name: "dilated")
  return try Model(
    name: "net", inputs: [image], outputs: [wide, same, even, extra, extra_same, dilated], loader: loader)
}
