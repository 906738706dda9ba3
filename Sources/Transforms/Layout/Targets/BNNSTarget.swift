import ModelIR

extension Target {
  /// Accelerate's Basic Neural Network Subroutines, with data as CHW.
  ///
  /// A transposed convolution expects `BNNSDataLayoutConvolutionWeightsIOHrWr`: "rotated convolution weights", with
  /// rows and columns in reversed order. netconv rotates them; the descriptor declares it. None of this can be verified
  /// with a library outside of Apple's systems.
  ///
  /// Source: Apple, bnns_constants.h, `BNNSDataLayout`: the index of a value in each layout; for depthwise kernels,
  /// what ML Compute passes to BNNS.
  static let bnns = Target(
    name: "bnns", summary: "Accelerate's BNNS, data as CHW",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi,
    ],
    flattened: .flattenedOIHW, hasChannelsFirst: true,
    reversed: [.transposedConvolution: [.height, .width]], elementTypes: [.float32, .float16])
}
