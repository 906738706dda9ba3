import ModelIR

extension Target {
  /// PyTorch: `torch.nn`, with data as NCHW.
  ///
  /// A depthwise convolution is one with as many groups as channels; a flatten merges C, H, W. `ConvTranspose2d` is the
  /// gradient of a convolution, as Keras's, so that neither side rotates; its weights have the input channels first.
  ///
  /// `Conv1d` has no kH. `LSTM` has the gates in the order i, f, g, o, which is Keras's; of the gates of `GRU`, r
  /// comes first, so that its kernels keep the source's layout.
  ///
  /// Source: torch/nn/modules: `conv.py`, `linear.py`, `batchnorm.py`, `activation.py`.
  static let torch = Target(
    name: "torch", summary: "PyTorch, a state dictionary of torch.nn",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi, .recurrent: .gatesFirst, .embedding: .io,
    ],
    flattened: .flattenedOIHW, gateCounts: [1, 4], sequenceKernels: .withoutHeight,
    hasChannelsFirst: true, hasPlainVectors: true,
    elementTypes: [.float32, .float16, .bfloat16], names: .stateDictionary,
    formats: [.safetensors], safetensorsFormat: "pt")
}
