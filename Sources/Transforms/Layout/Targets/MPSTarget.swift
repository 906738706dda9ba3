import ModelIR

extension Target {
  /// Metal Performance Shaders: MPSCNNConvolution and MPSCNNFullyConnected.
  ///
  /// Weights are `[outputChannels][kernelHeight][kernelWidth][inputChannels]`; a fully-connected layer is
  /// a convolution whose kernel is as large as its source image. Biases are float32 whatever the weights
  /// are. A depthwise kernel is `[inputChannels][multiplier][kernelHeight][kernelWidth]`, and the multiplier must
  /// be 1. MPSCNNConvolutionTranspose applies its weights, laid out as a convolution's, to the image spread out
  /// among zeros and rotates nothing, so that rows and columns are in the order opposite to Keras's.
  ///
  /// Source: Apple, MPSCNNConvolution.h: `weights` of `MPSCNNConvolutionDataSource`, and `biasTerms`;
  /// `MPSCNNDepthWiseConvolutionDescriptor`.
  static let mps = Target(
    name: "mps", summary: "Metal Performance Shaders (MPSCNNConvolution, MPSCNNFullyConnected)",
    layouts: [
      .convolution: .ohwi, .depthwise: .imhw, .transposedConvolution: .ohwi,
      .fullyConnected: .ohwi,
    ],
    limits: [.multiplier: 1], reversed: [.transposedConvolution: [.height, .width]],
    elementTypes: [.float32, .float16])
}
