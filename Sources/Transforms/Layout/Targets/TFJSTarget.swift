import Documents
import ModelIR

extension Target {
  /// TensorFlow.js, whose layers and arrays are those of Keras 2, with data as NHWC.
  ///
  /// A GRU has one bias, as its reset gate is applied before the product.
  ///
  /// Source: tensorflow/tfjs, tfjs-layers/src/layers: convolutional.ts, convolutional_depthwise.ts, core.ts,
  /// recurrent.ts (`build` of each class states the shape of its weights).
  static let tfjs = Target(
    name: OutputFormat.tfjs.rawValue, summary: "TensorFlow.js layers models, data as NHWC",
    layouts: [
      .convolution: .hwio, .depthwise: .hwim, .transposedConvolution: .hwoi, .fullyConnected: .io,
      .recurrent: .gatesLast, .embedding: .io,
    ],
    flattened: .flattenedHWIO, cells: [.lstm, .simple, .gruWithResetBefore],
    sequenceKernels: .withoutHeight, hasVolumes: true,
    elementTypes: [.float32, .float16], names: .variables,
    formats: [.archive, .tfjs], texts: [.tfjs])
}
