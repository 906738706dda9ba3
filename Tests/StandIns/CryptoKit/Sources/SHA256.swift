import Crypto

/// The hash function SHA-256, as swift-crypto computes it; of its many ways to be called, those that the list has.
///
/// https://developer.apple.com/documentation/cryptokit/sha256
public struct SHA256: Sendable {
  /// What it gives.
  public typealias Digest = SHA256Digest

  private var hash = Crypto.SHA256()

  /// Of no bytes.
  public init() {}

  /// Adds bytes.
  ///
  /// https://developer.apple.com/documentation/cryptokit/sha256/update(bufferpointer:)
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    hash.update(bufferPointer: bufferPointer)
  }

  /// The hash of all bytes so far.
  ///
  /// https://developer.apple.com/documentation/cryptokit/sha256/finalize()
  public func finalize() -> SHA256.Digest { SHA256Digest(bytes: Array(hash.finalize())) }
}

/// The 32 bytes that SHA-256 gives.
///
/// https://developer.apple.com/documentation/cryptokit/sha256digest
public struct SHA256Digest: Sequence, Sendable {
  let bytes: [UInt8]

  /// The bytes from first to last.
  ///
  /// https://developer.apple.com/documentation/cryptokit/sha256digest/makeiterator()
  public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}
