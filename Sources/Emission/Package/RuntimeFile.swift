/// A file of `Emitted` that becomes one of a package's module.
protocol RuntimeFile: Sendable {
  /// What its name has behind the package's.
  var suffix: String { get }
  /// What is in it.
  var source: RuntimeSource { get }
}

extension RuntimeFile where Self: RawRepresentable<String> {
  var suffix: String { rawValue }
}

/// Pieces that do not depend on the language.
enum PackagePiece: String, RuntimePiece {
  /// Values between layers, and kernels, are of float16.
  case storesHalves
  /// `predict` takes an array of inputs.
  case severalInputs
  /// Kernels read tensors as pointers to floats.
  case tensorFloats
  /// Graphs read tensors as data.
  case tensorData

  var needs: Set<PackagePiece> { [] }
}
