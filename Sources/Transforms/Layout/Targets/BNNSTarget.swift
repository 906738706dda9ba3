import ModelIR

extension Target {
  /// Basic Neural Network Subroutines of Accelerate, with data as CHW.
  ///
  /// A transposed convolution takes `BNNSDataLayoutConvolutionWeightsIOHrWr`: "rotated convolution weights", whose
  /// rows and columns lie in reversed order. netconv rotates; the descriptor says so. There is no library to check
  /// any of this with outside of Apple's systems.
  ///
  /// Source: Apple, bnns_constants.h, `BNNSDataLayout`: the index that each layout gives a value; of depthwise kernels,
  /// what ML Compute hands to BNNS.
  static let bnns = Target(
    name: "bnns", summary: "Accelerate's BNNS, data as CHW",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi,
    ],
    flattened: .flattenedOIHW, hasChannelsFirst: true,
    reversed: [.transposedConvolution: [.height, .width]], elementTypes: [.float32, .float16])
}
