import ModelIR
import Operators

/// Source: keras/src/layers/convolutional/base_depthwise_conv.py; Keras 2 names the kernel `depthwise_kernel`.
enum KerasDepthwiseConv: KerasSpatialMapping {
  static let classNames = ["DepthwiseConv1D", "DepthwiseConv2D", "DepthwiseConvolution2D"]
  static let operators: [any Operator.Type] = [
    DepthwiseConvolution1D.self, DepthwiseConvolution2D.self,
  ]
  static let refused = ["activations that Activation does not read, and glu"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    return SpatialDepthwiseConvolution<Space>(
      kernelSize: try layer.size("kernel_size"),
      depthMultiplier: try layer.int("depth_multiplier", default: 1),
      strides: try layer.size("strides", default: .one),
      dilation: try layer.size("dilation_rate", default: .one), padding: try layer.padding(),
      activation: try layer.activation())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let kernel = KerasWeight(name: "depthwise_kernel", otherNames: ["kernel"], role: .kernel)
    return try layer.bool("use_bias", default: true) ? [kernel, .bias] : [kernel]
  }
}
