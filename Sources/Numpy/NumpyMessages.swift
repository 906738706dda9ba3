import ModelIR

/// The errors of this module.
extension NetconvError {
  /// The error for a file in another format.
  package static var notNumpy: NetconvError {
    NetconvError(.badData, "is neither .npy nor .npz; write it with numpy.save or numpy.savez")
  }
}
