import ModelIR
import Operators

/// Source: keras/src/layers/convolutional/base_conv_transpose.py; the kernel is (height, width, out, in).
enum KerasConv2DTranspose: KerasLayerMapping {
  static let classNames = ["Conv2DTranspose", "Convolution2DTranspose"]
  static let operators: [any Operator.Type] = [TransposedConvolution2D.self]
  static let refused = ["activations that Activation does not read, and glu"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return TransposedConvolution2D(
      outputChannels: try layer.int("filters"), kernelSize: try layer.size("kernel_size"),
      strides: try layer.size("strides", default: .one),
      dilation: try layer.size("dilation_rate", default: .one), padding: try layer.padding(),
      outputPadding: try layer.optionalSize("output_padding"),
      activation: try layer.activation())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try layer.bool("use_bias", default: true) ? [.kernel, .bias] : [.kernel]
  }
}
