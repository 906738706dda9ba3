import Files
import ModelIR

/// What a file says of itself before libhdf5 is asked: where the HDF5 file in it begins, and where it should end.
package struct HDF5Beginning: Equatable {
  /// Where the signature is, if there is one.
  package let place: Int?
  /// The size that the file had when it was complete, if its superblock says so.
  package let size: UInt64?

  /// Reads the beginning of `file`.
  package init(_ file: RandomAccessFile) throws(NetconvError) {
    let window = try HDF5Window(file)
    place = try HDF5Signature.offset(in: window)
    size =
      if let place { try Superblock.fileSize(at: place, in: window) } else { nil }
  }
}
