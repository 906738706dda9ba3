import Files
import ModelIR

/// The bytes of an HDF5 file: a whole file or a range of it.
struct HDF5Window: Sendable {
  /// The whole file.
  let file: RandomAccessFile
  /// The offset of the window in the file.
  let base: Int
  /// The size in bytes, from ``base`` on.
  let size: Int

  /// Creates a window of all of `file`, or of the bytes in `window`.
  ///
  /// - Throws: `badData` if the file is too short for the window.
  init(_ file: RandomAccessFile, window: Range<Int>? = nil) throws(NetconvError) {
    let window = window ?? 0..<file.size
    guard window.upperBound <= file.size else {
      throw .truncatedFile(expected: UInt64(window.upperBound), found: file.size)
    }
    self.file = file
    base = window.lowerBound
    size = window.count
  }

  /// Fills `buffer` with the bytes at `offset`.
  ///
  /// - Returns: The number of bytes read, which is less than requested only at the end.
  /// - Throws: `inputOutput` if the file cannot be read.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(NetconvError) -> Int
  {
    let count = min(buffer.count, max(0, size - offset))
    return try file.readAvailable(
      at: base + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// Returns up to `count` bytes at `offset`.
  func bytes(at offset: Int, count: Int) throws(NetconvError) -> [UInt8] {
    let available = min(count, max(0, size - offset))
    return try file.bytes(at: base + offset, count: available)
  }
}
