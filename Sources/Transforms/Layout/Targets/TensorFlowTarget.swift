import ModelIR

extension Target {
  /// TensorFlow and Keras, with data as NHWC.
  ///
  /// `tf.nn.conv2d_transpose` is the gradient of a convolution, so neither side rotates.
  ///
  /// `tf.nn.conv1d` has no height; recurrent layers are those of Keras.
  ///
  /// Source: `tf.nn.conv2d`, `tf.nn.depthwise_conv2d`, `tf.nn.conv2d_transpose` (filters of shape (height, width,
  /// output_channels, in_channels)); keras/src/layers: Conv, DepthwiseConv2D, Conv2DTranspose, Dense.
  package static let tensorflow = Target(
    name: "tensorflow", summary: "TensorFlow and Keras, data as NHWC",
    layouts: [
      .convolution: .hwio, .depthwise: .hwim, .transposedConvolution: .hwoi, .fullyConnected: .io,
      .recurrent: .gatesLast, .embedding: .io,
    ],
    flattened: .flattenedHWIO, cells: Set(RecurrentCellKind.allCases),
    sequenceKernels: .withoutHeight, hasVolumes: true,
    elementTypes: [.float32, .float16, .bfloat16], names: .variables,
    formats: [.npz], safetensorsFormat: "tf")
}
