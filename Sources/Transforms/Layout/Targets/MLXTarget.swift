import ModelIR

extension Target {
  /// MLX: `mlx.nn`, with data as NHWC.
  ///
  /// A depthwise convolution is a convolution with as many groups as channels. `ConvTranspose2d` applies the weights to
  /// each pixel as they are, like Keras, so neither side rotates.
  ///
  /// `Conv1d` has no kh. `LSTM` has the gates in the order i, f, g, o, where g is the cell gate. `GRU` sums the biases
  /// of the gates r and z, which is not just a matter of order, so its parameters keep the source's layout.
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
    hasVolumes: true,
    hasPlainVectors: true,
    elementTypes: [.float32, .float16, .bfloat16], names: .moduleDictionary,
    formats: [.safetensors], safetensorsFormat: "mlx")
}
