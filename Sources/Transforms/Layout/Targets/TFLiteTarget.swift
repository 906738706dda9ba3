import Documents
import ModelIR

extension Target {
  /// TensorFlow Lite and TensorFlow Lite Micro, with data as NHWC.
  ///
  /// `TRANSPOSE_CONV` adds each pixel times its kernel to the output, like Keras: neither side rotates.
  ///
  /// `UNIDIRECTIONAL_SEQUENCE_LSTM` has a kernel and a bias for each gate, in the order input, forget, cell, output;
  /// they are stored consecutively. There are no recurrent units with a reset gate.
  ///
  /// Source: tflite-micro, tensorflow/lite/kernels/internal/reference: `conv.h` (`filter_shape` is OHWI),
  /// `depthwiseconv_float.h` (1, H, W, I times M), `transpose_conv.h` (OHWI), `fully_connected.h` (OI);
  /// tensorflow/lite/kernels/lstm_shared.h: the inputs of an LSTM.
  static let tflite = Target(
    name: OutputFormat.tflite.rawValue,
    summary: "TensorFlow Lite and its version for microcontrollers",
    layouts: [
      .convolution: .ohwi, .depthwise: .depthwiseIHWO, .transposedConvolution: .ohwi,
      .fullyConnected: .oi, .recurrent: .gatesApart, .embedding: .io,
    ],
    flattened: .flattenedOHWI, cells: [.simple, .lstm], sequenceKernels: .ofOneRow,
    elementTypes: [.float32, .float16], formats: [.bin, .archive, .tflite],
    texts: [.c, .tflite])
}
