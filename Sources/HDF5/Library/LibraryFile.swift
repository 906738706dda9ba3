internal import CHDF5
internal import CHDF5Window
import ModelIR
import Synchronization

/// A file that libhdf5 has open for reading, and closes with this object.
final class LibraryFile: ValueReader {
  /// The very bytes that the library reads, for reading past the library.
  let window: HDF5Window
  /// Where in the window addresses count from: where the superblock is, whatever that says itself.
  let base: Int
  /// The library's number for the file, to be used under the lock.
  let id: hid_t
  /// The dataset read last, with its chunk cache, so that reading on does not decode twice.
  private let dataset = Mutex<OpenDataset?>(nil)

  /// Opens what `window` shows, with the superblock at `base`.
  ///
  /// The library reads through our descriptor, not from a path: the file may be replaced at its path at
  /// any time. It takes no lock on it, whatever HDF5_USE_FILE_LOCKING says: our driver cannot.
  /// - Throws: `badData` in libhdf5's words, if it cannot.
  init(_ window: HDF5Window, base: Int) throws(NetconvError) {
    id = try HDF5Library.withLock { () throws(NetconvError) in
      let access = try Handle(
        libhdf5.H5Pcreate(chdf5_file_access_class()), orThrow: NetconvError.libraryNotUsable)
      try check(
        chdf5_window_use(
          access.id, window.file.descriptor, UInt64(window.base), UInt64(window.size)),
        orThrow: NetconvError.libraryNotUsable)
      // The name opens nothing; one that is not absolute would be looked up from the working directory.
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

  /// Runs `body` under the library's lock with a dataset open.
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
