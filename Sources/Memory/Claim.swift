/// What a file says that it holds, beside what it stores.
///
/// Weights that were trained hardly get smaller when they are compressed. A file that is to become a hundred times as much
/// is damaged or was made to fill a machine.
package struct Claim: Sendable, Equatable {
  /// What it is to become, in bytes.
  package let bytes: Int
  /// What is stored of it, in bytes.
  package let stored: Int

  /// How many times as much as is stored a claim may be.
  package static let ratio = 100
  /// What any file may claim that is read a piece at a time, in bytes.
  package static let streamed = 256 << 20
  /// What any file may claim that has to be in memory, in bytes.
  package static let held = 64 << 20

  /// A claim of `bytes`, of which `stored` are there.
  package init(_ bytes: Int, stored: Int) {
    self.bytes = bytes
    self.stored = stored
  }

  /// Whether it can be what it says.
  ///
  /// - Parameters:
  ///   - unquestioned: what any file may claim, in bytes.
  ///   - ratio: how many times as much as is stored it may be.
  package func isPlausible(unquestioned: Int, ratio: Int = Claim.ratio) -> Bool {
    bytes <= unquestioned || bytes / ratio <= stored
  }

  /// `1 GiB of values, and 4768 bytes are stored`, with what the bytes are.
  package func words(_ things: String) -> String {
    "\(byteText(bytes)) of \(things), and \(byteText(stored)) \(stored == 1 ? "is" : "are") stored"
  }
}
