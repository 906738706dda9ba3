import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The kind of file at a path; symbolic links are not followed.
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

/// Functions for paths and folders.
public enum Directory {
  /// Returns the kind of file at `path`, or `nil` if there is none.
  ///
  /// - Throws: `cannotOpen` if the kind cannot be determined.
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

  /// Returns true if `path` is a folder, or a symbolic link to one.
  public static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path.plain, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder, sorted.
  ///
  /// - Throws: `cannotOpen`.
  public static func names(in path: String) throws(NetconvError) -> [String] {
    guard let stream = opendir(path.plain) else { throw .cannotOpen(path, errno) }
    defer { closedir(stream) }
    var names: [String] = []
    // readdir returns null both at the end and on failure; only errno distinguishes them.
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

  /// Returns the relative paths of all files below a folder, sorted, and of empty folders.
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
  /// - Parameter isPrivate: True to restrict access to the owner.
  /// - Throws: `cannotCreate`, also if the path exists.
  public static func create(_ path: String, isPrivate: Bool = false) throws(NetconvError) {
    guard mkdir(path.plain, isPrivate ? 0o700 : 0o777) == 0 else {
      throw .cannotCreate(path, errno)
    }
  }

  /// Copies the permissions of `model` to `path`, and recursively to files of the same name.
  ///
  /// Pairs of a file and a folder, symbolic links, and file systems without permissions are skipped.
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

  /// Removes the file or folder at `path` as far as possible; symbolic links are not followed.
  public static func remove(_ path: String) {
    if (try? kind(of: path)) == .directory {
      // The folder may be write-protected.
      chmod(path.plain, 0o700)
      for name in (try? names(in: path)) ?? [] { remove(path + "/" + name) }
      rmdir(path.plain)
    } else {
      unlink(path.plain)
    }
  }

  /// Returns the path without its last component; `.` if there is only one.
  public static func parent(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : withoutTrailingSlashes(String(path[..<slash]))
  }

  /// Returns the last component of a path.
  public static func lastComponent(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    return path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns a path without trailing slashes.
  public static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }
}
