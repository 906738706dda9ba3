import ModelIR
import Operators

/// Source: keras/src/layers/convolutional/conv1d.py, conv2d.py, conv3d.py and base_conv.py.
enum KerasConv: KerasSpatialMapping {
  static let classNames = [
    "Conv1D", "Convolution1D", "Conv2D", "Convolution2D", "Conv3D", "Convolution3D",
  ]
  static let operators: [any Operator.Type] = [
    Convolution1D.self, Convolution2D.self, Convolution3D.self,
  ]
  static let refused = ["activations that Activation does not read, and glu"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return SpatialConvolution<Space>(
      outputChannels: try layer.int("filters"), kernelSize: try layer.size("kernel_size"),
      strides: try layer.size("strides", default: .one),
      dilation: try layer.size("dilation_rate", default: .one),
      groups: try layer.int("groups", default: 1),
      padding: try layer.padding(allowsCausal: layer.isOfSequences),
      activation: try layer.activation())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try layer.bool("use_bias", default: true) ? [.kernel, .bias] : [.kernel]
  }
}
