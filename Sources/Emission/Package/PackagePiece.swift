/// Pieces that do not depend on the language.
enum PackagePiece: String, RuntimePiece {
  /// Values between layers, and kernels, are of float16.
  case storesHalves
  /// `predict` takes an array of inputs.
  case severalInputs
  /// `predict` gives an array of outputs.
  case severalOutputs
  /// Classes have names.
  case labels
  /// `predict` takes pictures.
  case pictures
  /// Layers are folded into the kernels before them.
  case folds
  /// The self-test can count how many classes are right.
  case accuracy
  /// The app computes some layers.
  case customLayers
  /// Kernels read tensors as pointers to floats.
  case tensorFloats
  /// Graphs read tensors as data.
  case tensorData
}
