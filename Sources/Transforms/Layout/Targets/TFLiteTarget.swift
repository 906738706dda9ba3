import ModelIR

extension Target {
  /// TensorFlow Lite and TensorFlow Lite Micro, with data as NHWC.
  ///
  /// `TRANSPOSE_CONV` adds each pixel times its kernel to the output, as Keras does: neither side rotates.
  ///
  /// Source: tflite-micro, tensorflow/lite/kernels/internal/reference: `conv.h` (`filter_shape` is OHWI),
  /// `depthwiseconv_float.h` (1, H, W, I times M), `transpose_conv.h` (OHWI), `fully_connected.h` (OI).
  static let tflite = Target(
    name: "tflite", summary: "TensorFlow Lite and its version for microcontrollers",
    layouts: [
      .convolution: .ohwi, .depthwise: .depthwiseIHWO, .transposedConvolution: .ohwi,
      .fullyConnected: .oi,
    ],
    flattened: .flattenedOHWI, sequenceKernels: .ofOneRow, elementTypes: [.float32, .float16],
    texts: [.c])
}
