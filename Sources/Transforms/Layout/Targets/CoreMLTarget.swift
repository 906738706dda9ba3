import ModelIR

extension Target {
  /// Core ML, with data as NCHW.
  ///
  /// `conv_transpose` takes (C_in, C_out / groups, kH, kW) and is the gradient of a convolution: neither side rotates.
  ///
  /// Source: coremltools, mlmodel/format/NeuralNetwork.proto: `ConvolutionLayerParams.weights`,
  /// `InnerProductLayerParams.weights`; converters/mil/mil/ops/defs/iOS15/conv.py and linear.py.
  static let coreml = Target(
    name: "coreml", summary: "Core ML, data as NCHW",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi,
    ],
    flattened: .flattenedOIHW, sequenceKernels: .withoutHeight, hasChannelsFirst: true,
    elementTypes: [.float32, .float16])
}
