import ModelIR

extension Target {
  /// Metal Performance Shaders: MPSCNNConvolution and MPSCNNFullyConnected.
  ///
  /// Weights are `[outputChannels][kernelHeight][kernelWidth][inputChannels]`; a fully-connected layer is a convolution
  /// whose kernel is as large as its source image. Biases are always float32. A depthwise kernel is
  /// `[inputChannels][multiplier][kernelHeight][kernelWidth]`, and the multiplier must be 1. MPSCNNConvolutionTranspose
  /// applies weights in a convolution's layout to the image with zeros inserted between its pixels and rotates nothing,
  /// so rows and columns are in reversed order compared to Keras.
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
