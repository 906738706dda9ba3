internal import CHDF5
import ModelIR
import Synchronization

/// The one door to libhdf5, which keeps process-wide state and is not safe to call from two threads.
package enum HDF5Library {
  private static let isPrepared = Mutex(false)

  /// Runs `body` while nobody else is in the library, which is loaded before the first one.
  ///
  /// Not re-entrant: what runs inside must not enter again, so no ``LibraryFile`` may die in there.
  package static func withLock<Result: Sendable>(
    _ body: () throws(NetconvError) -> Result
  ) throws(NetconvError) -> Result {
    try isPrepared.withLock { isPrepared throws(NetconvError) in
      if !isPrepared {
        isPrepared = try prepare()
      }
      // Errors are kept per thread, and so is the wish not to print them.
      _ = libhdf5.H5Eset_auto2(chdf5_last_errors(), nil, nil)
      return try body()
    }
  }

  /// Runs `body`, which releases what the library holds, while nobody else is in the library.
  static func release(_ body: () -> Void) {
    isPrepared.withLock { _ in body() }
  }

  /// Loads the library and turns off what would touch files other than the one asked for.
  private static func prepare() throws(NetconvError) -> Bool {
    try LibraryLoader.load(LibraryLoader.names(of: .ofHeaders), version: .ofHeaders)
    guard libhdf5.H5open() >= 0, libhdf5.H5PLset_loading_state(0) >= 0,
      chdf5_register_string_references() >= 0
    else { throw .libraryNotUsable(lastMessage()) }
    return true
  }

  /// The library's own most specific words on the call that has just failed; may be empty.
  ///
  /// The next call of almost any function of the library forgets them.
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
