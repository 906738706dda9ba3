import ModelIR

/// Reads the end-of-file address from a superblock, the only field that netconv itself needs.
///
/// libhdf5 checks it too, but its error message is not helpful.
///
/// Source: HDF5 File Format Specification 3.0, II.A "Superblock".
enum Superblock {
  /// Returns the size of the complete file, from the superblock at `place`.
  ///
  /// - Returns: `nil` if the superblock is truncated or its version is unknown.
  static func fileSize(at place: Int, in file: HDF5Window) throws(NetconvError) -> UInt64? {
    let block = try file.bytes(at: place, count: 64)
    guard let version = byte(8, of: block) else { return nil }
    switch version {
    case 0, 1:
      guard let width = byte(13, of: block) else { return nil }
      let addresses = version == 0 ? 24 : 28
      return integer(at: addresses + 2 * width, width: width, in: block)
    case 2, 3:
      guard let width = byte(9, of: block) else { return nil }
      return integer(at: 12 + 2 * width, width: width, in: block)
    default:
      return nil
    }
  }

  private static func byte(_ index: Int, of block: [UInt8]) -> Int? {
    index < block.count ? Int(block[index]) : nil
  }

  private static func integer(at start: Int, width: Int, in block: [UInt8]) -> UInt64? {
    guard [2, 4, 8].contains(width), start + width <= block.count else { return nil }
    return block[start..<(start + width)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
