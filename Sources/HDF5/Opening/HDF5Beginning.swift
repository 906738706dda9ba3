import Files
import ModelIR

/// The position and the stated size of an HDF5 file, determined without libhdf5.
package struct HDF5Beginning: Equatable {
  /// The offset of the signature, if there is one.
  package let place: Int?
  /// The size of the complete file, if the superblock states it.
  package let size: UInt64?

  /// Reads the start of `file`.
  package init(_ file: RandomAccessFile) throws(NetconvError) {
    let window = try HDF5Window(file)
    place = try HDF5Signature.offset(in: window)
    size =
      if let place { try Superblock.fileSize(at: place, in: window) } else { nil }
  }
}
