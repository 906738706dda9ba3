import ModelIR
import Operators

/// Source: keras/src/layers/convolutional/base_separable_conv.py; Keras 2 supports causal padding along one axis.
enum KerasSeparableConv: KerasSpatialMapping {
  static let classNames = [
    "SeparableConv1D", "SeparableConvolution1D", "SeparableConv2D", "SeparableConvolution2D",
  ]
  static let operators: [any Operator.Type] = [
    SeparableConvolution1D.self, SeparableConvolution2D.self,
  ]
  static let refused = ["activations that Activation does not read, and glu"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return SpatialSeparableConvolution<Space>(
      outputChannels: try layer.int("filters"), kernelSize: try layer.size("kernel_size"),
      depthMultiplier: try layer.int("depth_multiplier", default: 1),
      strides: try layer.size("strides", default: .one),
      dilation: try layer.size("dilation_rate", default: .one),
      padding: try layer.padding(allowsCausal: layer.isOfSequences),
      activation: try layer.activation())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let kernels = [
      KerasWeight(name: "depthwise_kernel", role: .depthwise),
      KerasWeight(name: "pointwise_kernel", role: .pointwise),
    ]
    return try layer.bool("use_bias", default: true) ? kernels + [.bias] : kernels
  }
}
