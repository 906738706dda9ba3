import ModelIR

extension Target {
  /// Metal Performance Shaders Graph, with data as NHWC.
  ///
  /// A convolution's descriptor names the layout of its weights, here `HWIO`; in that of a depthwise convolution
  /// the "O" is the channel multiplier. A fully-connected layer is a matrix product of the data with `IO`. Which way
  /// round `convolutionTranspose2D` applies its weights nobody has confirmed.
  ///
  /// Source: Apple, MPSGraph: `MPSGraphConvolution2DOpDescriptor.weightsLayout`, `MPSGraphTensorNamedDataLayout`,
  /// `MPSGraphDepthwiseConvolution2DOpDescriptor`, `matrixMultiplication(primary:secondary:name:)`; `MPSDataType`.
  static let mpsgraph = Target(
    name: "mpsgraph", summary: "Metal Performance Shaders Graph, data as NHWC",
    layouts: [.convolution: .hwio, .depthwise: .hwim, .fullyConnected: .io],
    flattened: .flattenedHWIO, sequenceKernels: .ofOneRow, unconfirmed: [.transposedConvolution],
    elementTypes: [.float32, .float16, .bfloat16])
}
