import ModelIR

extension Target {
  /// Metal Performance Shaders: MPSCNNConvolution and MPSCNNFullyConnected.
  ///
  /// Weights are `[outputChannels][kernelHeight][kernelWidth][inputChannels]`; a fully-connected layer is
  /// a convolution whose kernel is as large as its source image. Biases are float32 whatever the weights
  /// are. A depthwise kernel is `[inputChannels][multiplier][kernelHeight][kernelWidth]`, and the multiplier must
  /// be 1.
  ///
  /// Source: Apple, MPSCNNConvolution.h: `weights` of `MPSCNNConvolutionDataSource`, and `biasTerms`;
  /// `MPSCNNDepthWiseConvolutionDescriptor`.
  static let mps = Target(
    name: "mps", summary: "Metal Performance Shaders (MPSCNNConvolution, MPSCNNFullyConnected)",
    layouts: [.convolution: .ohwi, .depthwise: .imhw, .fullyConnected: .ohwi],
    limits: [.multiplier: 1], elementTypes: [.float32, .float16])
}
