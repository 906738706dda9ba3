internal import CSystemCalls

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls that not every file system supports; each returns 0 or the system's error number.
///
/// Tests replace them to simulate such a file system.
package struct FileSystemCalls: Sendable {
  /// Exchanges two paths atomically.
  package var exchange: @Sendable (_ a: String, _ b: String) -> Int32
  /// Renames the first path to the second, which must not exist.
  package var renameNew: @Sendable (_ from: String, _ to: String) -> Int32
  /// Locks an open folder, unless another process holds the lock (`EWOULDBLOCK`).
  package var lock: @Sendable (_ descriptor: Int32) -> Int32

  /// The system's calls.
  package static let system = FileSystemCalls(
    exchange: { netconv_exchange($0, $1) == 0 ? 0 : errno },
    renameNew: { netconv_rename_new($0, $1) == 0 ? 0 : errno },
    lock: { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno })
}
