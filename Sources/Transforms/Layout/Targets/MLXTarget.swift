import ModelIR

extension Target {
  /// MLX: `mlx.nn`, with data as NHWC.
  ///
  /// A depthwise convolution is one with as many groups as channels. `ConvTranspose2d` spreads each pixel out with the
  /// weights as they are: as Keras does, so that neither side rotates.
  ///
  /// `Conv1d` has no kh. `LSTM` has the gates in the order i, f, g, o, where g is the cell's. `GRU` adds the biases
  /// of the gates r and z up, which is no matter of order, so that its parameters keep the source's layout.
  ///
  /// Source: mlx/python/mlx/nn/layers: `Conv2d`, `ConvTranspose2d` (weights of shape (out, kh, kw, in)), `Linear`,
  /// `BatchNorm`, `PReLU`; measured with a delta as input by `make interop`.
  package static let mlx = Target(
    name: "mlx", summary: "MLX, mlx.nn",
    layouts: [
      .convolution: .ohwi, .depthwise: .depthwiseOHWI, .transposedConvolution: .ohwi,
      .fullyConnected: .oi, .recurrent: .gatesFirst, .embedding: .io,
    ],
    flattened: .flattenedOHWI, cells: [.simple, .lstm], sequenceKernels: .withoutHeight,
    hasPlainVectors: true,
    elementTypes: [.float32, .float16, .bfloat16], names: .moduleDictionary,
    formats: [.safetensors], safetensorsFormat: "mlx")
}
