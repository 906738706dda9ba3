#if canImport(CryptoKit)
  import CryptoKit
#else
  internal import CSHA256
#endif

/// The hash function SHA-256 (FIPS 180-4), as the system computes it: CryptoKit on a Mac, libcrypto elsewhere.
public struct SHA256: Sendable {
  #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()
  #else
    private var state = netconv_sha256()
  #endif

  /// Of no bytes.
  public init() {
    #if !canImport(CryptoKit)
      netconv_sha256_init(&state)
    #endif
  }

  /// Adds bytes to the message.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      state.update(bufferPointer: bytes)
    #else
      netconv_sha256_update(&state, bytes.baseAddress, bytes.count)
    #endif
  }

  /// The 32 bytes of the hash of the message.
  public consuming func finalize() -> [UInt8] {
    #if canImport(CryptoKit)
      Array(state.finalize())
    #else
      Array(unsafeUninitializedCapacity: 32) { digest, count in
        netconv_sha256_final(&state, digest.baseAddress)
        count = 32
      }
    #endif
  }

  /// The 32 bytes of the hash of `bytes`.
  public static func hash(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finalize()
  }
}
