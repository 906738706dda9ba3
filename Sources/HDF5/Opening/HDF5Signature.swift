import Files
import ModelIR

/// The eight-byte signature of HDF5 files, at offset 0, 512, 1024, 2048 or any further power of two.
///
/// Source: HDF5 File Format Specification 3.0, II.A "Superblock".
enum HDF5Signature {
  private static let bytes: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns the possible offsets of the signature in a file of `size` bytes.
  private static func places(in size: Int) -> some Sequence<Int> {
    sequence(first: 0) { $0 == 0 ? 512 : $0 * 2 }.prefix { $0 <= size - bytes.count }
  }

  /// Returns the offset of the signature in a file of `size` bytes.
  ///
  /// - Parameter read: Reads a number of bytes from an offset.
  static func offset(
    in size: Int, _ read: (Int, Int) throws(NetconvError) -> [UInt8]
  ) throws(NetconvError) -> Int? {
    for place in places(in: size) where try read(place, bytes.count) == bytes { return place }
    return nil
  }

  /// Returns the offset of the signature in `file`.
  static func offset(in file: HDF5Window) throws(NetconvError) -> Int? {
    try offset(in: file.size) { place, count throws(NetconvError) in
      try file.bytes(at: place, count: count)
    }
  }

  /// Returns true if `prefix`, the start of a file, contains the signature.
  static func occurs(in prefix: [UInt8]) -> Bool {
    places(in: prefix.count).contains { prefix[$0..<($0 + bytes.count)].elementsEqual(bytes) }
  }
}

extension HDF5File {
  /// Returns true if a file that starts with `prefix` is an HDF5 file; libhdf5 is not needed.
  ///
  /// A file may start with a user block, whose size is a power of two from 512 bytes. The signature after it is only
  /// found if `prefix` is long enough.
  public static func isHDF5(prefix: [UInt8]) -> Bool {
    HDF5Signature.occurs(in: prefix)
  }

  /// Returns true if `file` is an HDF5 file, with a user block of any size; libhdf5 is not needed.
  ///
  /// - Throws: `inputOutput` if the file cannot be read.
  public static func isHDF5(_ file: RandomAccessFile) throws(NetconvError) -> Bool {
    try HDF5Signature.offset(in: file.size) { place, count throws(NetconvError) in
      try file.bytes(at: place, count: count)
    } != nil
  }

  /// Returns true if the file at `path` has the signature of an HDF5 file.
  ///
  /// - Throws: `cannotOpen` if there is no such file or it cannot be opened; `inputOutput` if it cannot be read.
  public static func isHDF5(at path: String) throws(NetconvError) -> Bool {
    try placing(file: path) { () throws(NetconvError) in
      try HDF5Signature.offset(in: HDF5Window(RandomAccessFile(path: path))) != nil
    }
  }
}
