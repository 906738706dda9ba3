import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file for reading at arbitrary offsets from any thread; closed with its last reference.
public final class RandomAccessFile: Sendable {
  /// The path that the user gave.
  public let path: String
  /// The state of the file when it was opened.
  public let state: FileState
  /// The size when the file was opened, in bytes.
  public var size: Int { state.size }
  /// True if ``path`` is the actual path of the file, and not just a name for messages.
  private let isNamed: Bool

  /// The file descriptor, for libraries that read the file themselves.
  public let descriptor: Int32

  /// Opens a regular file for reading.
  ///
  /// - Throws: `cannotOpen` if there is no such file, it is a directory, or it is not readable.
  public convenience init(path: String) throws(NetconvError) {
    try self.init(path: path, descriptor: open(path.plain, Self.flags), isNamed: true)
  }

  /// Opens a regular file below `folder` without following symbolic links inside it.
  ///
  /// - Parameter name: A relative path whose components are not empty, `.` or `..`.
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

  /// Without `O_NONBLOCK`, opening a FIFO would wait for its writer.
  private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK

  /// Takes ownership of the result of a system call, whose failure is in `errno`.
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

  /// Takes ownership of a regular file that another process has opened.
  ///
  /// - Parameter path: The path in messages.
  package init(_ descriptor: Int32, size: Int, as path: String) {
    self.descriptor = descriptor
    self.path = path
    isNamed = false
    state = FileState(size: size)
  }

  /// Reads the contents of `output`, which stays available after `output` is closed.
  ///
  /// - Parameter path: The path in messages.
  /// - Throws: `cannotOpen`.
  public convenience init(reading output: OutputFile, as path: String) throws(NetconvError) {
    try self.init(
      path: path, descriptor: fcntl(output.descriptor, F_DUPFD_CLOEXEC, 0), isNamed: false)
  }

  deinit {
    close(descriptor)
  }

  /// Checks that the file has not been modified since it was opened, and that its path still refers to it.
  ///
  /// - Throws: `inputOutput` if it has changed.
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
  /// - Throws: `badData` if the file is too short; `inputOutput` if it cannot be read.
  public func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) {
    let done = try readAvailable(at: offset, into: buffer)
    guard done == buffer.count else {
      throw .endOfFile(path, wanted: offset + buffer.count, size: offset + done)
    }
  }

  /// Fills `buffer` with the bytes from `offset` on, as far as the file extends.
  ///
  /// - Returns: The number of bytes read, which is less than requested only at the end of the file.
  /// - Throws: `inputOutput` if the file cannot be read.
  public func readAvailable(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) -> Int {
    do throws(ReadFailure) {
      return try readFully(descriptor, at: offset, into: buffer)
    } catch {
      throw .cannotRead(path, error.code)
    }
  }

  /// Returns `count` bytes from `offset` on.
  ///
  /// - Throws: The errors of ``read(at:into:)``; a range beyond the end of the file allocates nothing.
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

  /// Returns the first bytes of the file; fewer if the file is shorter.
  ///
  /// - Throws: `inputOutput`.
  public func prefix(_ count: Int) throws(NetconvError) -> [UInt8] {
    try bytes(at: 0, count: min(count, size))
  }

  /// Returns the contents of the whole file.
  ///
  /// - Parameter limit: The maximum size in bytes.
  /// - Throws: `badData` if the file is larger than `limit`; `inputOutput` if it cannot be read.
  public func contents(limit: Int) throws(NetconvError) -> [UInt8] {
    guard size <= limit else { throw .tooLarge(path, size: size, limit: limit) }
    return try bytes(at: 0, count: size)
  }

  /// Calls `body` with the bytes of `range`, chunk by chunk.
  ///
  /// - Throws: The errors of ``read(at:into:)`` and of `body`.
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

extension NetconvError {
  /// The error for a path that is not a regular file.
  fileprivate static func notAFile(_ path: String, isDirectory: Bool) -> NetconvError {
    NetconvError(
      .cannotOpen, isDirectory ? "is a folder, expected a file" : "is not a regular file"
    ).inFile(path)
  }

  fileprivate static func endOfFile(_ path: String, wanted: Int, size: Int) -> NetconvError {
    NetconvError(
      .badData, "the file ends at byte \(size), expected at least \(wanted); it is truncated"
    ).inFile(path)
  }

  fileprivate static func replacedWhileRead(_ path: String) -> NetconvError {
    NetconvError(
      .inputOutput,
      "was replaced or removed while it was read; nothing was written, so run again when no other program "
        + "writes to it"
    ).inFile(path)
  }

  fileprivate static func tooLarge(_ path: String, size: Int, limit: Int) -> NetconvError {
    NetconvError(.badData, "holds \(size) bytes, expected at most \(limit)").inFile(path)
  }
}
