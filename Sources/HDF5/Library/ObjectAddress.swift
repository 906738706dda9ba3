internal import CHDF5
import ModelIR

/// Where an object's header is in its file; two hard links to one object have the same.
struct ObjectAddress: Hashable, Sendable {
  /// The address, or the first half of the token.
  let low: UInt64
  /// The second half of the token.
  let high: UInt64

  /// The address of two halves.
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The address that a link names.
  init(_ address: chdf5_address) {
    low = address.low
    high = address.high
  }

  /// The address of the open object `id`.
  init(of id: hid_t) throws(NetconvError) {
    var address = chdf5_address()
    try check(chdf5_get_address(id, &address), orThrow: NetconvError.unreadableObject)
    self.init(address)
  }

  /// As C has it.
  var shim: chdf5_address { chdf5_address(low: low, high: high) }

  /// Opens the object, following no link.
  func open(in file: hid_t) throws(NetconvError) -> Handle {
    try Handle(chdf5_open(file, shim), orThrow: NetconvError.unreadableObject)
  }
}
