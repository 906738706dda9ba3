/// The size that a file states for its contents, compared with the size of the stored data.
///
/// Trained weights are hardly compressible. A file that expands a hundredfold is damaged, or was made to exhaust
/// memory.
package struct Claim: Sendable, Equatable {
  /// The stated size in bytes.
  package let bytes: Int
  /// The size of the stored data in bytes.
  package let stored: Int

  /// The default maximum ratio of stated to stored size.
  package static let ratio = 100
  /// The size in bytes that is accepted for any file that is streamed.
  package static let streamed = 256 << 20
  /// The size in bytes that is accepted for any file that must be held in memory.
  package static let held = 64 << 20

  /// Creates a claim of `bytes` for `stored` bytes of data.
  package init(_ bytes: Int, stored: Int) {
    self.bytes = bytes
    self.stored = stored
  }

  /// Returns true if the claim is plausible.
  ///
  /// - Parameters:
  ///   - unquestioned: The size that is accepted for any file, in bytes.
  ///   - ratio: The maximum ratio of stated to stored size.
  package func isPlausible(unquestioned: Int, ratio: Int = Claim.ratio) -> Bool {
    bytes <= unquestioned || bytes / ratio <= stored
  }

  /// Describes the claim: `1 GiB of values, and 4768 bytes are stored`, where `things` are the values.
  package func words(_ things: String) -> String {
    "\(byteText(bytes)) of \(things), and \(byteText(stored)) \(stored == 1 ? "is" : "are") stored"
  }
}
