internal import CSystemCalls

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls that not every file system has; each gives 0 or the system's error number.
///
/// Tests stand in for a file system that lacks one.
package struct FileSystemCalls: Sendable {
  /// Exchanges two paths in one step.
  package var exchange: @Sendable (_ a: String, _ b: String) -> Int32
  /// Renames the first path to the second, which must not exist.
  package var renameNew: @Sendable (_ from: String, _ to: String) -> Int32
  /// Locks an open folder, unless somebody else holds it (`EWOULDBLOCK`).
  package var lock: @Sendable (_ descriptor: Int32) -> Int32

  /// What the system does.
  package static let system = FileSystemCalls(
    exchange: { netconv_exchange($0, $1) == 0 ? 0 : errno },
    renameNew: { netconv_rename_new($0, $1) == 0 ? 0 : errno },
    lock: { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno })
}
