/// Pieces that do not depend on the language.
enum PackagePiece: String, RuntimePiece {
  /// Values between layers and kernels are float16.
  case storesHalves
  /// `predict` accepts an array of inputs.
  case severalInputs
  /// `predict` returns an array of outputs.
  case severalOutputs
  /// The classes have names.
  case labels
  /// `predict` accepts pictures.
  case pictures
  /// Some layers are folded into the kernels before them.
  case folds
  /// The self-test can measure accuracy.
  case accuracy
  /// The app computes custom layers.
  case customLayers
  /// Kernels read tensors as pointers to float32 values.
  case tensorFloats
  /// Graphs read tensors as data.
  case tensorData
}
