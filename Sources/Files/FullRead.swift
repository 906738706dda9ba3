#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A failed read.
struct ReadFailure: Error {
  /// The system's error number.
  let code: Int32
}

/// Fills `buffer` with the bytes from `offset` on, in as many calls as necessary.
///
/// - Returns: The number of bytes read, which is less than requested only at the end of the file.
/// - Throws: The system's error.
func readFully(
  _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
) throws(ReadFailure) -> Int {
  var done = 0
  while done < buffer.count {
    // Linux reads at most 2 GiB per call, and macOS rejects larger reads.
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
