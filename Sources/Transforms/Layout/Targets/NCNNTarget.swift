import ModelIR

extension Target {
  /// ncnn, with data as CHW.
  ///
  /// `Deconvolution` adds each pixel times its kernel to the output, as Keras does: neither side rotates. Unlike
  /// PyTorch's its weights have the output channels first, as those of all layers.
  ///
  /// Source: ncnn/docs/developer-guide/operators.md: Convolution, ConvolutionDepthWise, Deconvolution, InnerProduct
  /// (`weight_data`, fastest axis first); measured by `make interop`.
  static let ncnn = Target(
    name: "ncnn", summary: "ncnn, data as CHW",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOHW, .transposedConvolution: .oihw,
      .fullyConnected: .oi,
    ],
    flattened: .flattenedOIHW, sequenceKernels: .withoutHeight, hasChannelsFirst: true,
    elementTypes: [.float32, .float16])
}
