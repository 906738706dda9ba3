import Files
import ModelIR

/// Functions that open a file, with clear errors on failure.
enum HDF5Opening {
  /// A file that is open in this or another process.
  struct Opened {
    let window: HDF5Window
    let reader: any ValueReader
    let index: HDF5Index
  }

  /// Opens the HDF5 file in `window` and reads its tree, in this process or through `connection`.
  ///
  /// - Throws: `badData` if it is not a complete HDF5 file.
  static func open(
    _ window: HDF5Window, through connection: HDF5Connection?
  ) throws(NetconvError) -> Opened {
    if let connection {
      let (file, index) = try connection.open(window)
      return Opened(window: window, reader: file, index: index)
    }
    let file = try library(window)
    return Opened(window: window, reader: file, index: try IndexBuilder.index(of: file))
  }

  /// Opens the HDF5 file in the window `file` in this process.
  ///
  /// - Throws: `badData` if it is not a complete HDF5 file.
  static func library(_ file: HDF5Window) throws(NetconvError) -> LibraryFile {
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

extension NetconvError {
  fileprivate static func emptyFile() -> NetconvError {
    NetconvError(.badData, "the file is empty, expected an HDF5 file")
  }
}
