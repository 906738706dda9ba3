import Documents
import ModelIR

extension Target {
  /// Initializers of an ONNX graph.
  ///
  /// The weights of `Conv` are (M, C/group, kH, kW), those of `ConvTranspose` (C, M/group, kH, kW) and applied as the
  /// gradient of a convolution, so neither side rotates. A fully-connected kernel is the input B of `Gemm` with
  /// `transB` 1.
  ///
  /// `Conv` over sequences has no kH. `LSTM` has the gates in the order i, o, f, c, `GRU` in the order z, r, h, with
  /// `linear_before_reset` 1 for a reset after the kernel. The input B of a recurrent operator is the concatenation of
  /// Wb and Rb.
  ///
  /// Source: onnx/docs/Operators.md: Conv, ConvTranspose, Gemm, BatchNormalization, PRelu.
  static let onnx = Target(
    name: OutputFormat.onnx.rawValue, summary: "ONNX, a graph with its weights as initializers",
    layouts: [
      .convolution: .oihw, .depthwise: .depthwiseOIHW, .transposedConvolution: .iohw,
      .fullyConnected: .oi, .recurrent: .gatesFirstOfDirection, .embedding: .io,
    ],
    flattened: .flattenedOIHW, cells: Set(RecurrentCellKind.allCases), gateOrders: [.iofc],
    hasTwoRecurrentBiases: true, sequenceKernels: .withoutHeight, hasVolumes: true,
    hasChannelsFirst: true, elementTypes: [.float32, .float16, .int8],
    names: .initializers, formats: [.npz, .onnx], texts: [.onnx])
}
