internal import CHDF5
import ModelIR

/// Something of libhdf5's that is open and has to be closed: a file, a group, a type, a list.
///
/// Made and destroyed under the lock of ``HDF5Library``.
struct Handle: ~Copyable {
  /// The library's number for it.
  let id: hid_t

  /// Takes over what a function of the library has returned.
  ///
  /// - Parameter failure: the error to throw, from the library's own message.
  /// - Throws: `failure` if `id` says that the function failed.
  init(_ id: hid_t, orThrow failure: (String) -> NetconvError) throws(NetconvError) {
    guard id >= 0 else { throw failure(HDF5Library.lastMessage()) }
    self.id = id
  }

  deinit {
    _ = libhdf5.H5Idec_ref(id)
  }
}

/// Checks what a function of the library has returned.
///
/// - Throws: `failure`, made from the library's own message, if `status` is negative.
@discardableResult
func check<Status: SignedInteger>(
  _ status: Status, orThrow failure: (String) -> NetconvError
) throws(NetconvError) -> Status {
  guard status >= 0 else { throw failure(HDF5Library.lastMessage()) }
  return status
}
