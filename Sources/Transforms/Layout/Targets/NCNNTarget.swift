import ModelIR

extension Target {
  /// ncnn, with data as CHW.
  ///
  /// `Deconvolution` adds each pixel times its kernel to the output, as Keras does: neither side rotates. Unlike
  /// PyTorch's its weights have the output channels first, as those of all layers.
  ///
  /// `LSTM` has the gates in the order i, f, o, g, where g is the cell's, and one bias. `GRU` adds the biases of two
  /// of its gates up, which is no matter of order, so that its parameters keep the source's layout.
  ///
  /// Source: ncnn/docs/developer-guide/operators.md: Convolution, ConvolutionDepthWise, Deconvolution, InnerProduct,
  /// Embed, LSTM and RNN (fastest axis first); measured by `make interop`.
  static let ncnn = Target(
    name: "ncnn", summary: "ncnn, data as CHW",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOHW, .transposedConvolution: .oihw,
      .fullyConnected: .oi, .recurrent: .gatesFirst, .embedding: .io,
    ],
    flattened: .flattenedOIHW, cells: [.simple, .lstm], gateOrders: [.ifoc],
    sequenceKernels: .withoutHeight, hasChannelsFirst: true, elementTypes: [.float32, .float16])
}
