import ModelIR

extension Target {
  /// ncnn, with data as CHW.
  ///
  /// `Deconvolution` adds each pixel times its kernel to the output, like Keras: neither side rotates. Unlike in
  /// PyTorch, the output channels of its weights come first, as in all layers.
  ///
  /// `LSTM` has the gates in the order i, f, o, g, where g is the cell gate, and one bias. `GRU` sums the biases of two
  /// of its gates, which is not just a matter of order, so its parameters keep the source's layout.
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
