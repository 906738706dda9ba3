import Documents
import ModelIR

extension Target {
  /// RTNeural's JSON, with data as (length, channels).
  ///
  /// Its lists are Keras's arrays as they are: the loader itself turns the taps of a convolution round, and puts the
  /// gates where it computes them, of an LSTM i, f, c, o and of a GRU z, r, h. It has no layers over images.
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
