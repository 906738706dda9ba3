import Documents
import ModelIR

extension Target {
  /// Core ML, with data as NCHW.
  ///
  /// `conv_transpose` expects (C_in, C_out / groups, kH, kW) and is the gradient of a convolution: neither side
  /// rotates.
  ///
  /// `lstm` has the gates in the order input, forget, output, cell. The documentation of `gru` contradicts itself, so
  /// its parameters keep the source's layout.
  ///
  /// Source: coremltools, mlmodel/format/NeuralNetwork.proto: `ConvolutionLayerParams.weights`,
  /// `InnerProductLayerParams.weights`; converters/mil/mil/ops/defs/iOS15/conv.py, linear.py and recurrent.py.
  static let coreml = Target(
    name: OutputFormat.coreml.rawValue,
    summary: "Core ML, a package with its weights, or arrays as NCHW",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi, .recurrent: .gatesFirst, .embedding: .io,
    ],
    flattened: .flattenedOIHW, cells: [.simple, .lstm], gateOrders: [.ifoc],
    sequenceKernels: .withoutHeight, hasVolumes: true, hasChannelsFirst: true,
    elementTypes: [.float32, .float16], formats: [.bin, .archive, .coreml], texts: [.coreml])
}
