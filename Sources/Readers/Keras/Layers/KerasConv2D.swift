import ModelIR
import Operators

/// Source: keras/src/layers/convolutional/conv2d.py and base_conv.py.
enum KerasConv2D: KerasLayerMapping {
  static let classNames = ["Conv2D", "Convolution2D"]
  static let operators: [any Operator.Type] = [Convolution2D.self]
  static let refused = ["activations that Activation does not read, and glu"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return Convolution2D(
      outputChannels: try layer.int("filters"), kernelSize: try layer.size("kernel_size"),
      strides: try layer.size("strides", default: .one),
      dilation: try layer.size("dilation_rate", default: .one),
      groups: try layer.int("groups", default: 1), padding: try layer.padding(),
      activation: try layer.activation())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try layer.bool("use_bias", default: true) ? [.kernel, .bias] : [.kernel]
  }
}
