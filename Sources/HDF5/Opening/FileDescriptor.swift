import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file open for reading at any place, by several threads at once; closed with this object.
final class FileDescriptor: Sendable {
  /// The system's number for the file.
  let number: CInt
  /// Where in the file it begins for us: 0 but for an HDF5 file that is a part of another file.
  let base: Int
  /// The size in bytes, from ``base`` on, when it was opened.
  let size: Int

  /// Opens the regular file at `path`.
  ///
  /// - Throws: `cannotOpen` saying why, if it cannot be opened or is not a regular file.
  convenience init(path: String) throws(NetconvError) {
    // A pipe would wait here for its writer.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw .cannotOpen(errorCode: errno) }
    try self.init(owning: number)
  }

  /// Another descriptor of the file that `number` has open.
  ///
  /// - Parameter window: the part of the file that counts; all of it by default.
  /// - Throws: `cannotOpen`; `badData` if the file does not reach as far as the window.
  convenience init(
    duplicating number: CInt, window: Range<Int>? = nil
  ) throws(NetconvError) {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .cannotOpen(errorCode: errno) }
    try self.init(owning: copy, window: window)
  }

  private init(owning number: CInt, window: Range<Int>? = nil) throws(NetconvError) {
    self.number = number
    var status = stat()
    let result = fstat(number, &status)
    base = window?.lowerBound ?? 0
    size = window?.count ?? Int(status.st_size)
    // From here on `deinit` closes the file, whatever is thrown.
    guard result == 0 else { throw .cannotOpen(errorCode: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isDirectory()
    default: throw .notRegularFile()
    }
    guard base + size <= Int(status.st_size) else {
      throw .truncatedFile(expected: UInt64(base + size), found: Int(status.st_size))
    }
  }

  deinit {
    close(number)
  }

  /// Fills `buffer` with the bytes at `offset`.
  ///
  /// - Returns: the bytes read, fewer than asked for only at the end of the file.
  /// - Throws: `inputOutput` if the system cannot read.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(NetconvError) -> Int
  {
    var done = 0
    let end = min(buffer.count, max(0, size - offset))
    while done < end {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<end])
      // Linux reads at most 2 GiB at a time, and macOS refuses to read more.
      let place = off_t(base + offset + done)
      let count = pread(number, rest.baseAddress, min(rest.count, 1 << 30), place)
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw .cannotRead(errorCode: errno)
      }
    }
    return done
  }

  /// Up to `count` bytes at `offset`.
  func bytes(at offset: Int, count: Int) throws(NetconvError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // A typed error cannot leave a closure of `withUnsafeMutableBytes`.
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(NetconvError) in try read(at: offset, into: buffer) }
    }
    bytes.removeLast(count - (try result.get()))
    return bytes
  }
}
