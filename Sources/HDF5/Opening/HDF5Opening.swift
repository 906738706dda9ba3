import Files
import ModelIR

/// Opening a file, and saying clearly why not.
enum HDF5Opening {
  /// Opens the HDF5 file that `file`, or the part of it at `window`, is.
  ///
  /// - Throws: `badData` if it is not a whole HDF5 file.
  static func open(
    _ file: RandomAccessFile, window: Range<Int>? = nil
  ) throws(NetconvError) -> LibraryFile {
    try open(FileWindow(file, window: window))
  }

  private static func open(_ file: FileWindow) throws(NetconvError) -> LibraryFile {
    guard file.size > 0 else { throw .emptyFile() }
    guard let place = try HDF5Signature.offset(in: file) else {
      throw .notHDF5(beginsWith: try file.bytes(at: 0, count: 8))
    }
    do throws(NetconvError) {
      return try LibraryFile(file, base: place)
    } catch {
      if let size = try Superblock.fileSize(at: place, in: file), size > file.size {
        throw .truncatedFile(expected: size, found: file.size)
      }
      throw error
    }
  }
}
