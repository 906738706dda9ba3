import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What stands at a path; symbolic links are not followed.
public enum PathKind: Sendable, Equatable {
  /// A regular file.
  case file
  /// A folder.
  case directory
  /// A symbolic link.
  case symbolicLink
  /// A device, socket or pipe.
  case other
}

/// Paths and folders.
public enum Directory {
  /// What stands at `path`, or `nil` if nothing does.
  ///
  /// - Throws: `cannotOpen` if the system will not say.
  public static func kind(of path: String) throws(NetconvError) -> PathKind? {
    var status = stat()
    guard lstat(path.plain, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .cannotOpen(path, errno)
    }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .symbolicLink
    default: .other
    }
  }

  /// Whether `path` is a folder, or a symbolic link to one.
  public static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path.plain, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder, sorted.
  ///
  /// - Throws: `cannotOpen`.
  public static func names(in path: String) throws(NetconvError) -> [String] {
    guard let stream = opendir(path.plain) else { throw .cannotOpen(path, errno) }
    defer { closedir(stream) }
    var names: [String] = []
    // At the end, and after a failure, there is no entry; only the number of the error tells which it was.
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0).exact }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .cannotOpen(path, errno) }
    return names.sorted()
  }

  /// Every file below a folder, as a path relative to it, sorted; folders only where they are empty.
  ///
  /// - Throws: `cannotOpen`.
  public static func files(below path: String) throws(NetconvError) -> [String] {
    var files: [String] = []
    for name in try names(in: path) {
      guard try kind(of: path + "/" + name) == .directory else {
        files.append(name)
        continue
      }
      let inside = try self.files(below: path + "/" + name)
      files += inside.isEmpty ? [name + "/"] : inside.map { name + "/" + $0 }
    }
    return files
  }

  /// Creates a folder.
  ///
  /// - Parameter isPrivate: whether nobody but its owner may look into it.
  /// - Throws: `cannotCreate`, also if something stands there.
  public static func create(_ path: String, isPrivate: Bool = false) throws(NetconvError) {
    guard mkdir(path.plain, isPrivate ? 0o700 : 0o777) == 0 else {
      throw .cannotCreate(path, errno)
    }
  }

  /// Gives `path` the permissions of `model`, and what is in it those of what bears the same name in `model`.
  ///
  /// Nothing happens where one is a file and the other a folder, or where either is a link, or where the file system
  /// knows no permissions.
  public static func copyPermissions(of model: String, to path: String) {
    var (old, new) = (stat(), stat())
    guard lstat(model.plain, &old) == 0, lstat(path.plain, &new) == 0,
      old.st_mode & S_IFMT == new.st_mode & S_IFMT
    else { return }
    switch new.st_mode & S_IFMT {
    case S_IFDIR:
      for name in (try? names(in: path)) ?? [] {
        copyPermissions(of: model + "/" + name, to: path + "/" + name)
      }
    case S_IFREG: break
    default: return
    }
    chmod(path.plain, old.st_mode & 0o7777)
  }

  /// Removes whatever stands at `path`, as far as it can be removed; links are not followed.
  public static func remove(_ path: String) {
    if (try? kind(of: path)) == .directory {
      // Its owner may have locked it.
      chmod(path.plain, 0o700)
      for name in (try? names(in: path)) ?? [] { remove(path + "/" + name) }
      rmdir(path.plain)
    } else {
      unlink(path.plain)
    }
  }

  /// The part of a path before its last component; `.` if there is none.
  public static func parent(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : withoutTrailingSlashes(String(path[..<slash]))
  }

  /// The last component of a path.
  public static func lastComponent(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    return path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// A path without slashes at its end.
  public static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }
}
