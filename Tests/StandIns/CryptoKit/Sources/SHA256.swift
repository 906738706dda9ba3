/// The hash function SHA-256 in Swift alone, so that who imports this module needs no module of C; of its many ways to be
/// called, those that the list has.
///
/// Source: FIPS 180-4, sections 4 to 6. https://developer.apple.com/documentation/cryptokit/sha256
public struct SHA256: Sendable {
  /// What it gives.
  public typealias Digest = SHA256Digest

  private var state: [UInt32] = Self.initial
  /// Bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  /// Bytes of the message so far.
  private var count: UInt64 = 0

  private static let blockCount = 64

  /// Of no bytes.
  public init() {}

  /// Adds bytes.
  ///
  /// https://developer.apple.com/documentation/cryptokit/sha256/update(bufferpointer:)
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    count += UInt64(bufferPointer.count)
    var bytes = bufferPointer[...]
    if !rest.isEmpty {
      let missing = bytes.prefix(Self.blockCount - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      guard rest.count == Self.blockCount else { return }
      let block = rest
      block.withUnsafeBytes { add($0[...]) }
      rest = []
    }
    while bytes.count >= Self.blockCount {
      add(bytes.prefix(Self.blockCount))
      bytes = bytes.dropFirst(Self.blockCount)
    }
    rest = Array(bytes)
  }

  /// The hash of all bytes so far.
  ///
  /// https://developer.apple.com/documentation/cryptokit/sha256/finalize()
  public func finalize() -> SHA256.Digest {
    var message = self
    let zeros = (2 * Self.blockCount - 9 - rest.count) % Self.blockCount
    let end = [0x80] + [UInt8](repeating: 0, count: zeros) + Self.bytes(of: 8 * count)
    end.withUnsafeBytes { message.update(bufferPointer: $0) }
    return SHA256Digest(bytes: message.state.flatMap { Self.bytes(of: $0) })
  }

  /// The bytes of a number, the highest first.
  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Takes in a block of 64 bytes.
  private mutating func add(_ block: Slice<UnsafeRawBufferPointer>) {
    let bytes = UnsafeRawBufferPointer(rebasing: block)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        words[index] = UInt32(
          bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      }
      for index in 16..<64 {
        let (early, late) = (words[index - 15], words[index - 2])
        words[index] =
          words[index - 16] &+ (turned(early, 7) ^ turned(early, 18) ^ early &>> 3)
          &+ words[index - 7] &+ (turned(late, 17) ^ turned(late, 19) ^ late &>> 10)
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for (word, constant) in zip(words, Self.constants) {
        let first =
          h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ (e & f ^ ~e & g) &+ constant
          &+ word
        let second =
          (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ (a & b ^ a & c ^ b & c)
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
      for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }
  }

  private func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 - count)
  }

  /// The fractional parts of the square roots of the first 8 primes.
  private static let initial: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  /// The fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
    0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
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
