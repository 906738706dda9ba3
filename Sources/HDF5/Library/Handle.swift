internal import CHDF5
import ModelIR

/// An open libhdf5 object that must be closed: a file, group, type or property list.
///
/// Created and destroyed under the lock of ``HDF5Library``.
struct Handle: ~Copyable {
  /// The identifier in the library.
  let id: hid_t

  /// Takes ownership of an identifier that a library function returned.
  ///
  /// - Parameter failure: Creates the error from the library's message.
  /// - Throws: `failure` if `id` indicates an error.
  init(_ id: hid_t, orThrow failure: (String) -> NetconvError) throws(NetconvError) {
    guard id >= 0 else { throw failure(HDF5Library.lastMessage()) }
    self.id = id
  }

  deinit {
    _ = libhdf5.H5Idec_ref(id)
  }
}

/// Checks the return value of a library function.
///
/// - Throws: `failure`, created from the library's message, if `status` is negative.
@discardableResult
func check<Status: SignedInteger>(
  _ status: Status, orThrow failure: (String) -> NetconvError
) throws(NetconvError) -> Status {
  guard status >= 0 else { throw failure(HDF5Library.lastMessage()) }
  return status
}
