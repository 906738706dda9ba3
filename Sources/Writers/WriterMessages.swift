import Files
import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  /// Returns the error with the layer and the role of `tensor`.
  func inTensor(_ tensor: Tensor) -> NetconvError {
    // An interruption is not attributed to a tensor.
    kind == .interrupted
      ? self : inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer)
  }

  static var unfinished: NetconvError {
    NetconvError(.internal, "a tensor was written but never hashed; please report this")
  }

  static func noParent(_ parent: String) -> NetconvError {
    NetconvError(.cannotCreate, "the folder does not exist; create it first").inFile(parent)
  }

  static func foreignFile(_ file: String) -> NetconvError {
    NetconvError(
      .cannotCreate,
      text:
        "holds \(quoted(file)), which netconv did not write; \(.force) replaces only what netconv wrote, so move it "
        + "away or choose another path"
    )
  }
}
