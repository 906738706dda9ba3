internal import CHDF5
import ModelIR

/// The address of an object header in its file, which all hard links to the object share.
struct ObjectAddress: Hashable, Sendable {
  /// The address, or the first half of the token.
  let low: UInt64
  /// The second half of the token.
  let high: UInt64

  /// Creates an address from two halves.
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Creates the address in a link.
  init(_ address: chdf5_address) {
    low = address.low
    high = address.high
  }

  /// Reads the address of the open object `id`.
  init(of id: hid_t) throws(NetconvError) {
    var address = chdf5_address()
    try check(chdf5_get_address(id, &address), orThrow: NetconvError.unreadableObject)
    self.init(address)
  }

  /// The address as a C struct.
  var shim: chdf5_address { chdf5_address(low: low, high: high) }

  /// Opens the object without following a link.
  func open(in file: hid_t) throws(NetconvError) -> Handle {
    try Handle(chdf5_open(file, shim), orThrow: NetconvError.unreadableObject)
  }
}
