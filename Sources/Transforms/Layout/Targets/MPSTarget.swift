extension Target {
  /// Metal Performance Shaders: MPSCNNConvolution and MPSCNNFullyConnected.
  ///
  /// Weights are `[outputChannels][kernelHeight][kernelWidth][inputChannels]`; a fully-connected layer is
  /// a convolution whose kernel is as large as its source image. Biases are float32 whatever the weights
  /// are.
  ///
  /// Source: Apple, MPSCNNConvolution.h: `weights` of `MPSCNNConvolutionDataSource`, and `biasTerms`.
  static let mps = Target(
    name: "mps", summary: "Metal Performance Shaders (MPSCNNConvolution, MPSCNNFullyConnected)",
    layouts: [.convolution: .ohwi, .fullyConnected: .ohwi], elementTypes: [.float32, .float16])
}
