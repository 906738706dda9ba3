internal import CHDF5
import ModelIR
import Synchronization

/// Serialises access to libhdf5, which has process-wide state and is not thread-safe.
package enum HDF5Library {
  private static let isPrepared = Mutex(false)

  /// Runs `body` with exclusive access to the library, which is loaded on first use.
  ///
  /// The lock is not re-entrant: `body` must not acquire it again, nor release a ``LibraryFile``.
  package static func withLock<Result: Sendable>(
    _ body: () throws(NetconvError) -> Result
  ) throws(NetconvError) -> Result {
    try isPrepared.withLock { isPrepared throws(NetconvError) in
      if !isPrepared {
        isPrepared = try prepare()
      }
      // The error stack is per thread, and so is the setting that disables printing it.
      _ = libhdf5.H5Eset_auto2(chdf5_last_errors(), nil, nil)
      return try body()
    }
  }

  /// Runs `body`, which releases library resources, with exclusive access.
  static func release(_ body: () -> Void) {
    isPrepared.withLock { _ in body() }
  }

  /// Loads the library and disables features that access other files.
  private static func prepare() throws(NetconvError) -> Bool {
    try LibraryLoader.load(LibraryLoader.names(of: .ofHeaders), version: .ofHeaders)
    guard libhdf5.H5open() >= 0, libhdf5.H5PLset_loading_state(0) >= 0,
      chdf5_register_string_references() >= 0
    else { throw .libraryNotUsable(lastMessage()) }
    return true
  }

  /// Returns the library's most specific message about the last failed call; it may be empty.
  ///
  /// Almost any subsequent call of the library clears it.
  static func lastMessage() -> String {
    var message = ""
    withUnsafeMutablePointer(to: &message) { message in
      _ = libhdf5.H5Ewalk2(
        chdf5_last_errors(), H5E_WALK_UPWARD,
        { _, error, context in
          guard let words = error?.pointee.desc, let context else { return 0 }
          let message = context.assumingMemoryBound(to: String.self)
          if message.pointee.isEmpty {
            message.pointee = String(cString: words)
          }
          return 0
        }, message)
    }
    return message
  }
}
