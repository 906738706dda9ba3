import ModelIR
import Pictures

/// A picture file: PNG, JPEG, PGM or PPM.
///
/// A PNG with wrong checksums is parsed again with correct ones; otherwise the parser would not get
/// past them.
enum PictureTarget: FuzzTarget {
  static let name = "picture"

  static func parse(_ bytes: [UInt8]) throws {
    do {
      try check(bytes)
    } catch let error as NetconvError {
      let mended = mended(bytes)
      guard mended != bytes else { throw error }
      try check(mended)
    }
  }

  private static func check(_ bytes: [UInt8]) throws {
    let picture = try PictureFile(bytes).picture
    try hold(
      picture.values.count == picture.height * picture.width * picture.channels,
      "a picture has another number of values")
    try hold(picture.values.allSatisfy { (0...255).contains($0) }, "a value is no brightness")
  }

  /// The bytes with the correct checksum after each complete chunk, if they are a PNG.
  private static func mended(_ bytes: [UInt8]) -> [UInt8] {
    guard PictureFormat(bytes) == .png else { return bytes }
    var bytes = bytes
    var start = 8
    while bytes.count - start >= 12 {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - start - 12 else { break }
      let end = start + 8 + length
      let checksum = crc32(bytes[start + 4..<end])
      for place in 0..<4 {
        bytes[end + place] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * place))
      }
      start = end + 4
    }
    return bytes
  }

  /// The checksum of a chunk.
  ///
  /// Source: ISO/IEC 15948, annex D.
  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var checksum: UInt32 = ~0
    for byte in bytes {
      checksum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = checksum & 1 == 1
        checksum >>= 1
        if isOdd { checksum ^= 0xEDB8_8320 }
      }
    }
    return ~checksum
  }
}
