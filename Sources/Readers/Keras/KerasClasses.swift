/// The Keras layers that netconv does not read, with the unsupported feature that each would need.
///
/// Source: `keras.layers` of Keras 3.15 and 2.21, keras/layers of Keras 1.2.2; a test compares this list with Keras's
/// own.
package enum KerasClasses {
  /// Returns true if this is an unsupported layer class of Keras itself, rather than custom code.
  static func isOwn(_ className: String) -> Bool { names.contains(className) }

  /// The unsupported classes by the feature that they need.
  package static let unread: [(reason: String, classNames: [String])] = [
    (
      "convolutions inside a recurrent layer, but for ConvLSTM1D, ConvLSTM2D and ConvLSTM3D",
      [
        "ConvLSTM2DCell", "ConvRecurrent2D",
      ]
    ),
    (
      "a cell outside of an RNN, which reads it",
      [
        "AbstractRNNCell", "GRUCell", "LSTMCell", "SimpleRNNCell", "StackedRNNCells",
      ]
    ),
    (
      "texts and categories, before the network",
      [
        "CategoryEncoding", "DenseFeatures", "Discretization", "HashedCrossing", "Hashing",
        "IntegerLookup", "StringLookup", "TextVectorization",
      ]
    ),
    (
      "pictures and sound, before the network",
      [
        "AutoContrast", "ContrastLimitedAdaptiveHistogramEqualization", "Equalization",
        "MaxNumBoundingBoxes", "MelSpectrogram", "Pipeline", "STFTSpectrogram",
      ]
    ),
    (
      "code of another framework, or of Python",
      [
        "FlaxLayer", "JaxLayer", "Lambda", "TFSMLayer", "TorchModuleWrapper",
      ]
    ),
    (
      "a class that others are made of",
      [
        "Layer", "Wrapper",
      ]
    ),
    (
      "layers of Keras 1 alone",
      [
        "Highway", "MaxoutDense", "Merge", "TimeDistributedDense",
      ]
    ),
  ]

  private static let names = Set(unread.flatMap(\.classNames)).subtracting([
    "Lambda", "Layer", "Wrapper",
  ])
}
