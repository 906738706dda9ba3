import Documents
import ModelIR

extension Target {
  /// RTNeural's JSON, with data as (length, channels).
  ///
  /// Its lists are Keras's arrays unchanged: the loader itself reverses the taps of a convolution and rearranges the
  /// gates, from i, f, c, o for an LSTM and z, r, h for a GRU. There are no layers over images.
  ///
  /// Source: RTNeural/model_loader.h: `loadDense`, `loadConv1D`, `loadLSTM`, `loadGRU`; python/model_utils.py.
  static let rtneural = Target(
    name: OutputFormat.rtneural.rawValue, summary: "RTNeural's JSON, for networks over sequences",
    layouts: [
      .convolution: .hwio, .depthwise: .hwim, .transposedConvolution: .hwoi, .fullyConnected: .io,
      .recurrent: .gatesLast, .embedding: .io,
    ],
    flattened: .flattenedHWIO, cells: Set(RecurrentCellKind.allCases),
    sequenceKernels: .withoutHeight,
    elementTypes: [.float32], formats: [.archive, .rtneural], texts: [.rtneural])
}
