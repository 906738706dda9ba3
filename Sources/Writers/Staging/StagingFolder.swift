import Files
import ModelIR
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A locked temporary folder next to an output, from which the output is exchanged into its final location.
///
/// Before ``publish(_:to:)`` the old output is never touched. A crash leaves a folder that no process holds; the next
/// run in the same parent folder removes it.
package final class StagingFolder {
  /// The prefix of the names of all staging folders.
  static let marker = ".netconv-staging-"

  private static let wasMade = Atomic<Bool>(false)

  /// True if this process has started to create any; signal handlers may read it.
  package static var hasBegun: Bool { wasMade.load(ordering: .relaxed) }

  /// The path of the folder.
  let path: String
  /// Open and locked during the lifetime of this object; not locked if the file system does not support locks.
  private let descriptor: Int32
  private let calls: FileSystemCalls

  /// Creates the folder in `parent`, after removing those left there by crashed runs.
  ///
  /// - Throws: `cannotCreate`.
  init(in parent: String, calls: FileSystemCalls = .system) throws(NetconvError) {
    guard Directory.isDirectory(parent) else { throw .noParent(parent) }
    Self.wasMade.store(true, ordering: .relaxed)
    Self.removeAbandoned(in: parent, calls)
    for _ in 0..<16 {
      let path = parent + "/" + Self.marker + Self.randomName
      // The output that it replaces may be private.
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
    /// The folder is locked as long as the descriptor is open.
    case held(Int32)
    /// The file system does not support locks, so no process can mistake the folder for an abandoned one either.
    case unsupported(Int32)
    /// Another process holds the folder, or has just removed it.
    case lost
    /// Another error occurred.
    case failed(Int32)
  }

  private static func lock(_ path: String, _ calls: FileSystemCalls) -> Lock {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? .lost : .failed(errno) }
    let code = calls.lock(descriptor)
    // NFS without a lock service returns ENOLCK.
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
  /// Removes staging folders left inside an output by its parts, so that they do not become part of it.
  ///
  /// - Throws: `cannotOpen` if a folder cannot be listed, `cannotCreate` if one cannot be removed.
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
  /// Moves `name` from the staging folder to `destination`, atomically where the system supports it.
  ///
  /// The old contents are checked again after they were moved away, and only then removed; their permissions are kept.
  /// - Throws: `cannotCreate`; the old contents of the destination are then restored.
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
    // A link fails if its path exists, but is not possible for folders, nor on every file system; otherwise the check
    // has to do. A folder cannot replace a non-empty one.
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

  /// Checks the old contents after an exchange, and exchanges back if they include files of other programs.
  private func checkExchanged(
    _ source: String, _ destination: Destination
  ) throws(NetconvError) {
    do throws(NetconvError) {
      try destination.checkReplaced(source)
    } catch {
      guard calls.exchange(source, destination.path) == 0 else {
        throw rescue(source, of: destination, error)
      }
      // The new output was there for a moment, and another process may have created a file in it.
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

  /// Saves the old contents of the destination from being removed if they include other files than netconv's.
  private func rescue(
    _ old: String, of destination: Destination, _ error: NetconvError
  ) -> NetconvError {
    let place = destination.path + "-" + Self.randomName
    return rename(old, place) == 0 ? .rescued(error, to: place) : error
  }
}

extension NetconvError {
  /// Returns the error with the destination that the user knows, in place of a temporary file.
  func replacingStagingPath(with destination: String) -> NetconvError {
    guard let file, file.contains(StagingFolder.marker) else { return self }
    var error = self
    error.file = destination
    return error
  }
}

extension NetconvError {
  fileprivate static func cannotStage(_ parent: String) -> NetconvError {
    NetconvError(
      .cannotCreate, "another program removes the temporary folder"
    ).inFile(parent)
  }

  fileprivate static func cannotRemoveStaging(_ path: String) -> NetconvError {
    NetconvError(
      .cannotCreate, "a temporary folder in it cannot be removed; choose another path"
    ).inFile(path)
  }

  fileprivate static func cannotLock(_ parent: String, _ code: Int32) -> NetconvError {
    NetconvError(
      .cannotCreate,
      "no temporary folder can be locked here (\(systemMessage(code))); choose another path"
    ).inFile(parent)
  }

  fileprivate static func cannotPublish(_ path: String, _ code: Int32) -> NetconvError {
    NetconvError(.cannotCreate, "cannot be moved to its destination (\(systemMessage(code)))")
      .inFile(path)
  }

  fileprivate static func rescued(_ reason: NetconvError, to path: String) -> NetconvError {
    var error = reason
    error.list.append("the earlier output is now at \(quoted(path))")
    return error
  }
}
