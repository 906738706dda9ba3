internal import CHDF5
internal import CHDF5Window
import ModelIR
import Synchronization

/// A file that libhdf5 keeps open for reading until this object is released.
final class LibraryFile: ValueReader {
  /// The bytes that the library reads, for direct access.
  let window: HDF5Window
  /// The base address in the window: the position of the superblock, regardless of the address that it states.
  let base: Int
  /// The identifier of the file, for use under the lock.
  let id: hid_t
  /// The most recently read dataset with its chunk cache, so that sequential reads decode each chunk once.
  private let dataset = Mutex<OpenDataset?>(nil)

  /// Opens the file in `window` with the superblock at `base`.
  ///
  /// The library reads through netconv's descriptor rather than a path, since the file may be replaced at any time.
  /// It does not lock the file, whatever HDF5_USE_FILE_LOCKING states, because the driver does not support locks.
  /// - Throws: `badData` with libhdf5's message if it cannot open the file.
  init(_ window: HDF5Window, base: Int) throws(NetconvError) {
    id = try HDF5Library.withLock { () throws(NetconvError) in
      let access = try Handle(
        libhdf5.H5Pcreate(chdf5_file_access_class()), orThrow: NetconvError.libraryNotUsable)
      try check(
        chdf5_window_use(
          access.id, window.file.descriptor, UInt64(window.base), UInt64(window.size)),
        orThrow: NetconvError.libraryNotUsable)
      // The driver ignores the name; a relative name would be looked up in the working directory.
      return try check(
        libhdf5.H5Fopen("/", chdf5_read_only(), access.id),
        orThrow: NetconvError.libraryCannotOpen)
    }
    self.window = window
    self.base = base
  }

  deinit {
    HDF5Library.release {
      dataset.withLock { $0 = nil }
      _ = libhdf5.H5Fclose(id)
    }
  }

  /// Runs `body` under the library's lock with an open dataset.
  func withDataset<Result: Sendable>(
    _ values: StoredValues, _ body: (hid_t) throws(NetconvError) -> Result
  ) throws(NetconvError) -> Result {
    try HDF5Library.withLock { () throws(NetconvError) in
      try dataset.withLock { dataset throws(NetconvError) in
        if dataset?.address != values.address {
          dataset = nil
          dataset = try OpenDataset(values, in: id)
        }
        guard let id = dataset?.handle.id else { throw .libraryNotUsable("") }
        return try body(id)
      }
    }
  }
}
