import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is read at any place, by any thread; closed when the last reference goes.
public final class RandomAccessFile: Sendable {
  /// As the user named it.
  public let path: String
  /// What the system said of it when it was opened.
  public let state: FileState
  /// Bytes, when it was opened.
  public var size: Int { state.size }
  /// Whether ``path`` leads to it, and is not only what messages call it.
  private let isNamed: Bool

  /// The system's number for the file, for libraries that read it themselves.
  public let descriptor: Int32

  /// Opens a regular file for reading.
  ///
  /// - Throws: `cannotOpen` if there is no such file, it is a directory, or may not be read.
  public convenience init(path: String) throws(NetconvError) {
    try self.init(path: path, descriptor: open(path.plain, Self.flags), isNamed: true)
  }

  /// Opens a regular file below `folder`, and follows no symbolic link on the way from there.
  ///
  /// - Parameter name: components between slashes, none of them empty, `.` or `..`.
  /// - Throws: `cannotOpen`, also if a component is a symbolic link.
  public convenience init(_ name: String, in folder: String) throws(NetconvError) {
    var descriptor = open(folder.plain, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let components = name.split(separator: "/")
    for (index, component) in components.enumerated() where descriptor >= 0 {
      let isLast = index == components.count - 1
      let next = openat(
        descriptor, String(component).plain, Self.flags | O_NOFOLLOW | (isLast ? 0 : O_DIRECTORY))
      let code = errno
      close(descriptor)
      errno = code
      descriptor = next
    }
    try self.init(path: folder + "/" + name, descriptor: descriptor, isNamed: true)
  }

  /// Without `O_NONBLOCK` a FIFO in place of a file would wait for its writer.
  private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK

  /// Takes over what the system has opened, or not, with the reason in `errno`.
  private init(path: String, descriptor: Int32, isNamed: Bool) throws(NetconvError) {
    self.descriptor = descriptor
    guard descriptor >= 0 else { throw .cannotOpen(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .cannotOpen(path, code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notAFile(path, isDirectory: status.st_mode & S_IFMT == S_IFDIR)
    }
    self.path = path
    self.isNamed = isNamed
    state = FileState(status)
  }

  /// Takes over a regular file that another process has opened, and told the size of.
  ///
  /// - Parameter path: what messages call it.
  package init(_ descriptor: Int32, size: Int, as path: String) {
    self.descriptor = descriptor
    self.path = path
    isNamed = false
    state = FileState(size: size)
  }

  /// Reads what was written to `output`, also once that has gone.
  ///
  /// - Parameter path: what messages call it.
  /// - Throws: `cannotOpen`.
  public convenience init(reading output: OutputFile, as path: String) throws(NetconvError) {
    try self.init(
      path: path, descriptor: fcntl(output.descriptor, F_DUPFD_CLOEXEC, 0), isNamed: false)
  }

  deinit {
    close(descriptor)
  }

  /// Checks that nobody has written to the file since it was opened, and that its path still leads to it.
  ///
  /// - Throws: `inputOutput`.
  public func checkUnchanged() throws(NetconvError) {
    guard isNamed else { return }
    let found = FileState(path: path)
    if found == nil, errno != ENOENT, errno != ENOTDIR { throw .cannotRead(path, errno) }
    guard let found, found.isSameFile(as: state) else { throw .replacedWhileRead(path) }
    guard let held = FileState(descriptor: descriptor) else { throw .cannotRead(path, errno) }
    guard found == state, held == state else { throw .changedWhileRead(path) }
  }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Throws: `badData` if the file ends before, `inputOutput` if it cannot be read.
  public func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) {
    let done = try readAvailable(at: offset, into: buffer)
    guard done == buffer.count else {
      throw .endOfFile(path, wanted: offset + buffer.count, size: offset + done)
    }
  }

  /// Fills `buffer` with the bytes from `offset` on, as far as the file goes.
  ///
  /// - Returns: the bytes read, fewer than asked for only where the file ends.
  /// - Throws: `inputOutput` if it cannot be read.
  public func readAvailable(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) -> Int {
    do throws(ReadFailure) {
      return try readFully(descriptor, at: offset, into: buffer)
    } catch {
      throw .cannotRead(path, error.code)
    }
  }

  /// The `count` bytes from `offset` on.
  ///
  /// - Throws: as ``read(at:into:)``; nothing is allocated for bytes that the file does not have.
  public func bytes(at offset: Int, count: Int) throws(NetconvError) -> [UInt8] {
    guard offset >= 0, count >= 0, count <= size, offset <= size - count else {
      let (end, overflow) = offset.addingReportingOverflow(count)
      throw .endOfFile(path, wanted: overflow ? .max : end, size: size)
    }
    do throws(NetconvError) {
      try MemoryBound.check(file: count)
    } catch {
      throw error.inFile(path)
    }
    var failure: NetconvError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      do throws(NetconvError) {
        try read(
          at: offset,
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
        initializedCount = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The first bytes, fewer if the file is shorter.
  ///
  /// - Throws: `inputOutput`.
  public func prefix(_ count: Int) throws(NetconvError) -> [UInt8] {
    try bytes(at: 0, count: min(count, size))
  }

  /// The whole file.
  ///
  /// - Parameter limit: the most bytes that make sense.
  /// - Throws: `badData` if the file is larger than `limit`, `inputOutput` if it cannot be read.
  public func contents(limit: Int) throws(NetconvError) -> [UInt8] {
    guard size <= limit else { throw .tooLarge(path, size: size, limit: limit) }
    return try bytes(at: 0, count: size)
  }

  /// Passes the bytes of `range` on, piece by piece.
  ///
  /// - Throws: as ``read(at:into:)``, or what `body` throws.
  public func forEachChunk(
    in range: Range<Int>, of chunkSize: Int = 1 << 18,
    _ body: (UnsafeRawBufferPointer) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let chunk = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, min(chunkSize, range.count)), alignment: 64)
    defer { chunk.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: chunk[..<min(chunk.count, range.upperBound - offset)])
      try read(at: offset, into: part)
      try body(UnsafeRawBufferPointer(part))
      offset += part.count
    }
  }
}
