import ModelIR
import Operators

/// Source: keras/src/layers/convolutional/base_conv_transpose.py; the kernel is (…, out, in).
enum KerasConvTranspose: KerasSpatialMapping {
  static let classNames = [
    "Conv1DTranspose", "Convolution1DTranspose", "Conv2DTranspose", "Convolution2DTranspose",
    "Conv3DTranspose", "Convolution3DTranspose",
  ]
  static let operators: [any Operator.Type] = [
    TransposedConvolution1D.self, TransposedConvolution2D.self, TransposedConvolution3D.self,
  ]
  static let refused = ["activations that Activation does not read, and glu"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return SpatialTransposedConvolution<Space>(
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
