import ModelIR

extension Target {
  /// Metal Performance Shaders Graph, with data as NHWC.
  ///
  /// The descriptor of a convolution names the layout of its weights, here `HWIO`; for a depthwise convolution the "O"
  /// is the channel multiplier. A fully-connected layer is a matrix product of the data with `IO`. A transposed
  /// convolution expects the weights of the convolution whose gradient it is, so that the "O" is its input channels:
  /// `HWOI` here.
  ///
  /// Source: Apple, MPSGraph: `MPSGraphConvolution2DOpDescriptor.weightsLayout`, `MPSGraphTensorNamedDataLayout`,
  /// `MPSGraphDepthwiseConvolution2DOpDescriptor`, `matrixMultiplication(primary:secondary:name:)`; `MPSDataType`;
  /// MPSGraphConvolutionTransposeOps.h of macOS 11.3, whose comment names the axes.
  static let mpsgraph = Target(
    name: "mpsgraph", summary: "Metal Performance Shaders Graph, data as NHWC",
    layouts: [
      .convolution: .hwio, .depthwise: .hwim, .transposedConvolution: .hwoi, .fullyConnected: .io,
    ],
    flattened: .flattenedHWIO, sequenceKernels: .ofOneRow,
    elementTypes: [.float32, .float16, .bfloat16])
}
