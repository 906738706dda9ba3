internal import CSystem
import Files
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A locked temporary folder beside an output, from which the output is exchanged into place.
///
/// Whatever happens before ``publish(_:to:replacing:)``, the old output is untouched; a crash leaves a
/// folder that nobody holds, and the next run beside it removes it.
final class StagingFolder {
  /// What the names of all staging folders begin with.
  static let marker = ".netconv-staging-"

  /// Where the output is made.
  let path: String
  private let lock: Int32

  /// Creates the folder in `parent`, after removing those that crashed runs have left there.
  ///
  /// - Throws: `cannotCreate`.
  init(in parent: String) throws(NetconvError) {
    guard Directory.isDirectory(parent) else { throw .noParent(parent) }
    Self.removeAbandoned(in: parent)
    for _ in 0..<16 {
      let path = parent + "/" + Self.marker + String(UInt64.random(in: .min ... .max), radix: 36)
      try Directory.create(path)
      if let lock = Self.lock(path) {
        self.path = path
        self.lock = lock
        return
      }
    }
    throw .cannotStage(parent)
  }

  deinit {
    Directory.remove(path)
    close(lock)
  }

  /// Locks a folder, unless somebody holds it or has just removed it.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var held = stat()
    var current = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &held) == 0,
      lstat(path, &current) == 0, held.st_ino == current.st_ino, held.st_dev == current.st_dev
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func removeAbandoned(in parent: String) {
    for name in (try? Directory.names(in: parent)) ?? [] where name.hasPrefix(marker) {
      guard let lock = lock(parent + "/" + name) else { continue }
      Directory.remove(parent + "/" + name)
      close(lock)
    }
  }

  /// Moves `name` from the staging folder to `destination`, in one step where the system can.
  ///
  /// - Parameter isReplacing: whether `destination` may exist; what was there is removed.
  /// - Throws: `cannotCreate`.
  func publish(_ name: String, to destination: String, replacing isReplacing: Bool)
    throws(NetconvError)
  {
    let source = path + "/" + name
    guard isReplacing else {
      guard netconv_rename_new(source, destination) != 0 else { return }
      // Where the file system knows no RENAME_NOREPLACE, the check before has to do.
      guard errno == EINVAL || errno == ENOSYS else { throw .cannotPublish(destination, errno) }
      guard rename(source, destination) == 0 else { throw .cannotPublish(destination, errno) }
      return
    }
    guard netconv_exchange(source, destination) != 0 else { return }
    guard errno == EINVAL || errno == ENOSYS else { throw .cannotPublish(destination, errno) }
    let old = path + "/old"
    guard rename(destination, old) == 0 else { throw .cannotPublish(destination, errno) }
    guard rename(source, destination) == 0 else {
      let code = errno
      rename(old, destination)
      throw .cannotPublish(destination, code)
    }
  }
}

extension NetconvError {
  /// The same error about the output that the user knows, not about a temporary file.
  func replacingStagingPath(with destination: String) -> NetconvError {
    guard let file, file.contains(StagingFolder.marker) else { return self }
    var error = self
    error.file = destination
    return error
  }
}
