import Files
import ModelIR
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A locked temporary folder beside an output, from which the output is exchanged into place.
///
/// Whatever happens before ``publish(_:to:)``, the old output is untouched; a crash leaves a folder that
/// nobody holds, and the next run beside it removes it.
package final class StagingFolder {
  /// What the names of all staging folders begin with.
  static let marker = ".netconv-staging-"

  private static let wasMade = Atomic<Bool>(false)

  /// Whether this process has begun to make any; a handler of signals may ask.
  package static var hasBegun: Bool { wasMade.load(ordering: .relaxed) }

  /// Where the output is made.
  let path: String
  /// Open and locked as long as this exists; only open where the file system knows no locks.
  private let descriptor: Int32
  private let calls: FileSystemCalls

  /// Creates the folder in `parent`, after removing those that crashed runs have left there.
  ///
  /// - Throws: `cannotCreate`.
  init(in parent: String, calls: FileSystemCalls = .system) throws(NetconvError) {
    guard Directory.isDirectory(parent) else { throw .noParent(parent) }
    Self.wasMade.store(true, ordering: .relaxed)
    Self.removeAbandoned(in: parent, calls)
    for _ in 0..<16 {
      let path = parent + "/" + Self.marker + Self.randomName
      // What it will take the place of may be for its owner's eyes alone.
      try Directory.create(path, isPrivate: true)
      switch Self.lock(path, calls) {
      case .held(let descriptor), .unsupported(let descriptor):
        self.path = path
        self.descriptor = descriptor
        self.calls = calls
        return
      case .lost: continue
      case .failed(let code):
        Directory.remove(path)
        throw .cannotLock(parent, code)
      }
    }
    throw .cannotStage(parent)
  }

  deinit {
    Directory.remove(path)
    close(descriptor)
  }

  private static var randomName: String { String(UInt64.random(in: .min ... .max), radix: 36) }
}

// MARK: - Locks

extension StagingFolder {
  private enum Lock {
    /// Nobody else has it as long as the descriptor is open.
    case held(Int32)
    /// The file system knows no locks, so nobody can take it for abandoned either.
    case unsupported(Int32)
    /// Somebody else holds the folder, or has just removed it.
    case lost
    /// Something else went wrong.
    case failed(Int32)
  }

  private static func lock(_ path: String, _ calls: FileSystemCalls) -> Lock {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? .lost : .failed(errno) }
    let code = calls.lock(descriptor)
    // ENOLCK is what NFS says without a lock service.
    if [EOPNOTSUPP, ENOTSUP, ENOSYS, EINVAL, ENOLCK].contains(code) {
      return .unsupported(descriptor)
    }
    var held = stat()
    var current = stat()
    if code == 0, fstat(descriptor, &held) == 0, lstat(path, &current) == 0,
      held.st_ino == current.st_ino, held.st_dev == current.st_dev
    {
      return .held(descriptor)
    }
    close(descriptor)
    return code == 0 || code == EWOULDBLOCK ? .lost : .failed(code)
  }

  private static func removeAbandoned(in parent: String, _ calls: FileSystemCalls) {
    for name in (try? Directory.names(in: parent)) ?? [] where name.hasPrefix(marker) {
      switch lock(parent + "/" + name, calls) {
      case .held(let descriptor):
        Directory.remove(parent + "/" + name)
        close(descriptor)
      case .unsupported(let descriptor): close(descriptor)
      case .lost, .failed: continue
      }
    }
  }
}

// MARK: - Inside of an output

extension StagingFolder {
  /// Removes the staging folders of parts of an output that were not removed when the parts were done: they would
  /// become parts of it.
  ///
  /// - Throws: `cannotOpen` if a folder cannot be listed, `cannotCreate` if one stays.
  static func removeLeft(below folder: String) throws(NetconvError) {
    let left = Set(
      try Directory.files(below: folder).compactMap { file -> String? in
        let components = file.split(separator: "/")
        guard let place = components.firstIndex(where: { $0.hasPrefix(marker) }) else { return nil }
        return components[...place].joined(separator: "/")
      })
    for path in left.sorted().map({ folder + "/" + $0 }) {
      Directory.remove(path)
      if try Directory.kind(of: path) != nil { throw .cannotRemoveStaging(path) }
    }
  }
}

// MARK: - Publishing

extension StagingFolder {
  /// Moves `name` from the staging folder to `destination`, in one step where the system can.
  ///
  /// What stood there is checked once more when it has been moved away, and only then removed; its permissions stay.
  /// - Throws: `cannotCreate`; what stood at the destination is then there again.
  func publish(_ name: String, to destination: Destination) throws(NetconvError) {
    let source = path + "/" + name
    guard destination.isReplacing else {
      return try publishNew(source, to: destination)
    }
    Directory.copyPermissions(of: destination.path, to: source)
    switch calls.exchange(source, destination.path) {
    case 0: try checkExchanged(source, destination)
    case EINVAL, ENOSYS: try publishInTwoSteps(source, to: destination)
    case let code: throw .cannotPublish(destination.path, code)
    }
  }

  private func publishNew(_ source: String, to destination: Destination) throws(NetconvError) {
    let code = calls.renameNew(source, destination.path)
    guard code != 0 else { return }
    guard code == EINVAL || code == ENOSYS else { throw .cannotPublish(destination.path, code) }
    // A link is not made where something stands, but not of folders, and not on every file system;
    // there the check has to do. A folder replaces no other that holds anything.
    if destination.isFile {
      if link(source, destination.path) == 0 { return }
      if errno == EEXIST { throw .cannotPublish(destination.path, EEXIST) }
    }
    guard try Directory.kind(of: destination.path) == nil else {
      throw .cannotPublish(destination.path, EEXIST)
    }
    guard rename(source, destination.path) == 0 else {
      throw .cannotPublish(destination.path, errno)
    }
  }

  /// Checks what came out of an exchange, and exchanges back if anybody else's file is in it.
  private func checkExchanged(
    _ source: String, _ destination: Destination
  ) throws(NetconvError) {
    do throws(NetconvError) {
      try destination.checkReplaced(source)
    } catch {
      guard calls.exchange(source, destination.path) == 0 else {
        throw rescue(source, of: destination, error)
      }
      // For a moment the new output stood there, and somebody may have put a file into that.
      throw destination.isOurs(source) ? error : rescue(source, of: destination, error)
    }
  }

  private func publishInTwoSteps(
    _ source: String, to destination: Destination
  ) throws(NetconvError) {
    let old = path + "/old"
    guard rename(destination.path, old) == 0 else {
      throw .cannotPublish(destination.path, errno)
    }
    do throws(NetconvError) {
      try destination.checkReplaced(old)
      try publishNew(source, to: destination)
    } catch {
      let isBack = (try? publishNew(old, to: destination)) != nil
      throw isBack ? error : rescue(old, of: destination, error)
    }
  }

  /// Saves what stood at the destination from being removed, where it holds other files than netconv's.
  private func rescue(
    _ old: String, of destination: Destination, _ error: NetconvError
  ) -> NetconvError {
    let place = destination.path + "-" + Self.randomName
    return rename(old, place) == 0 ? .rescued(error, to: place) : error
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
