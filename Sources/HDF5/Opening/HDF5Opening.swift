import ModelIR

/// Opening a file, and saying clearly why not.
enum HDF5Opening {
  /// Opens the HDF5 file at `path`.
  ///
  /// - Throws: `cannotOpen` if there is nothing to open; `badData` if it is not a whole HDF5 file.
  static func open(_ path: String) throws(NetconvError) -> LibraryFile {
    try open(FileDescriptor(path: path)) { () throws(NetconvError) in
      try LibraryFile(path: path)
    }
  }

  /// Opens the HDF5 file that is a part of the file that `descriptor` has open.
  ///
  /// - Throws: `badData` if it is not a whole HDF5 file.
  static func open(
    _ descriptor: Int32, window: Range<Int>, path: String
  ) throws(NetconvError) -> LibraryFile {
    let file = try FileDescriptor(duplicating: descriptor, window: window)
    return try open(file) { () throws(NetconvError) in
      try LibraryFile(path: path, window: file)
    }
  }

  private static func open(
    _ file: FileDescriptor, _ open: () throws(NetconvError) -> LibraryFile
  ) throws(NetconvError) -> LibraryFile {
    guard file.size > 0 else { throw .emptyFile() }
    guard let place = try HDF5Signature.offset(in: file) else {
      throw .notHDF5(beginsWith: try file.bytes(at: 0, count: 8))
    }
    do throws(NetconvError) {
      return try open()
    } catch {
      if let size = try Superblock.fileSize(at: place, in: file), size > file.size {
        throw .truncatedFile(expected: size, found: file.size)
      }
      throw error
    }
  }
}
