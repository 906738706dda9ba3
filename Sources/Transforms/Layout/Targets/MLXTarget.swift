import ModelIR

extension Target {
  /// MLX: `mlx.nn`, with data as NHWC.
  ///
  /// A depthwise convolution is one with as many groups as channels. `ConvTranspose2d` spreads each pixel out with the
  /// weights as they are: as Keras does, so that neither side rotates.
  ///
  /// Source: mlx/python/mlx/nn/layers: `Conv2d`, `ConvTranspose2d` (weights of shape (out, kh, kw, in)), `Linear`,
  /// `BatchNorm`, `PReLU`; measured with a delta as input by `make interop`.
  static let mlx = Target(
    name: "mlx", summary: "MLX, mlx.nn",
    layouts: [
      .convolution: .ohwi, .depthwise: .depthwiseOHWI, .transposedConvolution: .ohwi,
      .fullyConnected: .oi,
    ],
    flattened: .flattenedOHWI, hasPlainVectors: true,
    elementTypes: [.float32, .float16, .bfloat16], names: .stateDictionary,
    formats: [.safetensors], safetensorsFormat: "mlx")
}
