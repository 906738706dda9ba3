import Files
import ModelIR

/// The eight bytes that an HDF5 file starts with, at 0, 512, 1024, 2048 or any further doubling.
///
/// Source: HDF5 File Format Specification 3.0, II.A "Superblock".
enum HDF5Signature {
  private static let bytes: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Where the signature may be in a file of `size` bytes.
  private static func places(in size: Int) -> some Sequence<Int> {
    sequence(first: 0) { $0 == 0 ? 512 : $0 * 2 }.prefix { $0 <= size - bytes.count }
  }

  /// Where the signature is in a file of `size` bytes.
  ///
  /// - Parameter read: Reads so many bytes from an offset on.
  static func offset(
    in size: Int, _ read: (Int, Int) throws(NetconvError) -> [UInt8]
  ) throws(NetconvError) -> Int? {
    for place in places(in: size) where try read(place, bytes.count) == bytes { return place }
    return nil
  }

  /// Where the signature is in `file`.
  static func offset(in file: HDF5Window) throws(NetconvError) -> Int? {
    try offset(in: file.size) { place, count throws(NetconvError) in
      try file.bytes(at: place, count: count)
    }
  }

  /// Whether `prefix`, the beginning of a file, holds the signature.
  static func occurs(in prefix: [UInt8]) -> Bool {
    places(in: prefix.count).contains { prefix[$0..<($0 + bytes.count)].elementsEqual(bytes) }
  }
}

extension HDF5File {
  /// Whether a file that begins with `prefix` is an HDF5 file.
  ///
  /// A file may begin with a block of the user's own, a power of two from 512 bytes up; it is seen only
  /// if `prefix` is longer than that. This needs no libhdf5.
  public static func isHDF5(prefix: [UInt8]) -> Bool {
    HDF5Signature.occurs(in: prefix)
  }

  /// Whether `file` is an HDF5 file, wherever the block of the user's own ends; this needs no libhdf5.
  ///
  /// - Throws: `inputOutput` if it cannot be read.
  public static func isHDF5(_ file: RandomAccessFile) throws(NetconvError) -> Bool {
    try HDF5Signature.offset(in: file.size) { place, count throws(NetconvError) in
      try file.bytes(at: place, count: count)
    } != nil
  }

  /// Whether the file at `path` is an HDF5 file, going by its signature alone.
  ///
  /// - Throws: `cannotOpen` if there is no such file or it cannot be opened; `inputOutput` if it cannot
  ///   be read.
  public static func isHDF5(at path: String) throws(NetconvError) -> Bool {
    try placing(file: path) { () throws(NetconvError) in
      try HDF5Signature.offset(in: HDF5Window(RandomAccessFile(path: path))) != nil
    }
  }
}
