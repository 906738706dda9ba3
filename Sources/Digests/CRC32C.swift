internal import CChecksums

/// A running CRC-32C (RFC 3720, appendix B.4), by the CPU's own instruction where it has one.
public struct CRC32C: Sendable {
  /// The checksum of all bytes so far.
  public private(set) var value: UInt32 = 0

  /// The checksum of nothing.
  public init() {}

  /// Takes in more bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    value = netconv_crc32c(value, bytes.baseAddress, bytes.count)
  }

  /// The checksum as LevelDB and TensorFlow store it, so that one over bytes with checksums in them means something.
  ///
  /// Source: LevelDB, util/crc32c.h.
  public var masked: UInt32 { (value >> 15 | value << 17) &+ 0xa282_ead8 }

  /// The masked checksum of `bytes`.
  public static func masked(of bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32C()
    bytes.withUnsafeBytes { checksum.update($0) }
    return checksum.masked
  }
}
