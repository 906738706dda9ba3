import ModelIR

extension Target {
  /// PyTorch: `torch.nn`, with data as NCHW.
  ///
  /// A depthwise convolution is a convolution with as many groups as channels; a flatten merges C, H, W.
  /// `ConvTranspose2d` is the gradient of a convolution, as in Keras, so neither side rotates; its weights have the
  /// input channels first.
  ///
  /// `Conv1d` has no kH. `LSTM` has the gates in the order i, f, g, o, where g is the cell gate, `GRU` in the order r,
  /// z, n, where n is the new value; its reset gate is applied after the recurrent kernel. All have two biases.
  ///
  /// Source: torch/nn/modules: `conv.py`, `linear.py`, `batchnorm.py`, `activation.py`, `rnn.py`.
  package static let torch = Target(
    name: "torch", summary: "PyTorch, a state dictionary of torch.nn",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi, .recurrent: .gatesFirst, .embedding: .io,
    ],
    flattened: .flattenedOIHW, cells: [.simple, .lstm, .gru], gateOrders: [.rzh],
    hasTwoRecurrentBiases: true, sequenceKernels: .withoutHeight, hasVolumes: true,
    hasChannelsFirst: true, hasPlainVectors: true,
    elementTypes: [.float32, .float16, .bfloat16], names: .stateDictionary,
    formats: [.safetensors], safetensorsFormat: "pt")
}
