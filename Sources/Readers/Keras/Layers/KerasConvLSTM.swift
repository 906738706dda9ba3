import ModelIR
import Operators

/// Source: keras/src/layers/rnn/conv_lstm.py.
enum KerasConvLSTM: KerasSpatialMapping {
  static let classNames = ["ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"]
  static let operators: [any Operator.Type] = [
    ConvolutionalLSTM1D.self, ConvolutionalLSTM2D.self, ConvolutionalLSTM3D.self,
  ]
  static let refused = ["channels first", "masks", "kernels of Theano"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .refuses }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    guard !layer.hasMovedChannels else { throw .channelsFirst(layer.className) }
    return SpatialConvolutionalLSTM<Space>(
      outputChannels: try layer.int("filters"), kernelSize: try layer.size("kernel_size"),
      strides: try layer.size("strides", default: .one),
      dilation: try layer.size("dilation_rate", default: .one), padding: try layer.padding(),
      activation: try layer.activation(of: "activation", default: .tanh),
      recurrentActivation: try layer.recurrentActivation(),
      recurrence: try layer.recurrence())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try layer.bool("use_bias", default: true)
      ? [.kernel, .recurrentKernel, .bias] : [.kernel, .recurrentKernel]
  }
}
