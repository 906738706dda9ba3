#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why the system could not read.
struct ReadFailure: Error {
  /// The system's error number.
  let code: Int32
}

/// Fills `buffer` with the bytes from `offset` on, however many calls that takes.
///
/// - Returns: the bytes read, fewer than asked for only where the file ends.
/// - Throws: the system's reason.
func readFully(
  _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
) throws(ReadFailure) -> Int {
  var done = 0
  while done < buffer.count {
    // Linux reads at most 2 GiB at a time, and macOS refuses to read more.
    let count = pread(
      descriptor, buffer.baseAddress.map { $0 + done }, min(buffer.count - done, 1 << 30),
      off_t(offset + done))
    if count == 0 { break }
    if count > 0 {
      done += count
    } else if errno != EINTR {
      throw ReadFailure(code: errno)
    }
  }
  return done
}
