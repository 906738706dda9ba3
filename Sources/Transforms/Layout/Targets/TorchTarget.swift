import ModelIR

extension Target {
  /// PyTorch: `torch.nn`, with data as NCHW.
  ///
  /// A depthwise convolution is one with as many groups as channels; a flatten merges C, H, W. `ConvTranspose2d` is the
  /// gradient of a convolution, as Keras's, so that neither side rotates; its weights have the input channels first.
  ///
  /// Source: torch/nn/modules: `conv.py`, `linear.py`, `batchnorm.py`, `activation.py`.
  static let torch = Target(
    name: "torch", summary: "PyTorch, a state dictionary of torch.nn",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi,
    ],
    flattened: .flattenedOIHW, hasChannelsFirst: true, hasPlainVectors: true,
    elementTypes: [.float32, .float16, .bfloat16], names: .stateDictionary,
    formats: [.safetensors], safetensorsFormat: "pt")
}
