import ModelIR

/// Opening a file, and saying clearly why not.
enum HDF5Opening {
  /// Opens the HDF5 file at `path`.
  ///
  /// - Throws: `cannotOpen` if there is nothing to open; `badData` if it is not a whole HDF5 file.
  static func open(_ path: String) throws(NetconvError) -> LibraryFile {
    let file = try FileDescriptor(path: path)
    guard file.size > 0 else { throw .emptyFile() }
    guard let place = try HDF5Signature.offset(in: file) else {
      throw .notHDF5(beginsWith: try file.bytes(at: 0, count: 8))
    }
    do throws(NetconvError) {
      return try LibraryFile(path: path)
    } catch {
      if let size = try Superblock.fileSize(at: place, in: file), size > file.size {
        throw .truncatedFile(expected: size, found: file.size)
      }
      throw error
    }
  }
}
