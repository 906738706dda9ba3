internal import CHDF5
internal import CHDF5Window
import ModelIR
import Synchronization

/// A file that libhdf5 has open for reading, and closes with this object.
final class LibraryFile: Sendable {
  /// The path it was opened at.
  let path: String
  /// The very file that the library has open, for reading past the library.
  let descriptor: FileDescriptor
  /// The library's number for the file, to be used under the lock.
  let id: hid_t
  /// The dataset read last, with its chunk cache, so that reading on does not decode twice.
  private let dataset = Mutex<OpenDataset?>(nil)

  /// Opens `path`: no lock on the file, no other driver than the plain one.
  ///
  /// - Throws: `badData` in libhdf5's words, if it cannot.
  convenience init(path: String) throws(NetconvError) {
    try self.init(path: path, window: nil) { access in H5Pset_fapl_sec2(access) }
  }

  /// Opens the part of a file that `window` is about.
  ///
  /// - Throws: `badData` in libhdf5's words, if it cannot.
  convenience init(path: String, window: FileDescriptor) throws(NetconvError) {
    let range = window.base..<window.base + window.size
    try self.init(path: path, window: range) { access in
      chdf5_window_use(access, window.number, UInt64(window.base), UInt64(window.size))
    }
  }

  private init(
    path: String, window: Range<Int>?, setDriver: (hid_t) -> herr_t
  ) throws(NetconvError) {
    (id, descriptor) = try HDF5Library.withLock { () throws(NetconvError) in
      let access = try Handle(
        H5Pcreate(chdf5_file_access_class()), orThrow: NetconvError.libraryNotUsable)
      try check(setDriver(access.id), orThrow: NetconvError.libraryNotUsable)
      try check(chdf5_disable_file_locking(access.id), orThrow: NetconvError.libraryNotUsable)
      let id = H5Fopen(path, chdf5_read_only(), access.id)
      try check(id, orThrow: NetconvError.libraryCannotOpen)
      do throws(NetconvError) {
        return (id, try Self.duplicateDescriptor(of: id, access: access, window: window))
      } catch {
        H5Fclose(id)
        throw error
      }
    }
    self.path = path
  }

  deinit {
    HDF5Library.release {
      dataset.withLock { $0 = nil }
      H5Fclose(id)
    }
  }

  /// Runs `body` under the library's lock with the dataset of `entry` open.
  func withDataset<Result: Sendable>(
    _ entry: HDF5DatasetEntry, _ body: (hid_t) throws(NetconvError) -> Result
  ) throws(NetconvError) -> Result {
    try HDF5Library.withLock { () throws(NetconvError) in
      try dataset.withLock { dataset throws(NetconvError) in
        if dataset?.address != entry.address {
          dataset = nil
          dataset = try OpenDataset(entry, in: id)
        }
        guard let id = dataset?.handle.id else { throw .libraryNotUsable("") }
        return try body(id)
      }
    }
  }

  /// The file may be replaced at its path at any time; the library's own descriptor may not.
  private static func duplicateDescriptor(
    of id: hid_t, access: borrowing Handle, window: Range<Int>?
  ) throws(NetconvError) -> FileDescriptor {
    var pointer: UnsafeMutableRawPointer?
    try check(
      H5Fget_vfd_handle(id, access.id, &pointer), orThrow: NetconvError.libraryCannotOpen)
    guard let number = pointer?.load(as: CInt.self) else { throw .libraryCannotOpen("") }
    return try FileDescriptor(duplicating: number, window: window)
  }
}
