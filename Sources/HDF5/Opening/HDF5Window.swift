import Files
import ModelIR

/// A file, or the part of one, that is an HDF5 file.
struct HDF5Window: Sendable {
  /// The whole file.
  let file: RandomAccessFile
  /// Where in the file it begins for us.
  let base: Int
  /// The size in bytes, from ``base`` on.
  let size: Int

  /// All of `file`, or its bytes at `window`.
  ///
  /// - Throws: `badData` if the file does not reach as far as the window.
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
  /// - Returns: the bytes read, fewer than asked for only at the end.
  /// - Throws: `inputOutput` if the system cannot read.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(NetconvError) -> Int
  {
    let count = min(buffer.count, max(0, size - offset))
    return try file.readAvailable(
      at: base + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// Up to `count` bytes at `offset`.
  func bytes(at offset: Int, count: Int) throws(NetconvError) -> [UInt8] {
    let available = min(count, max(0, size - offset))
    return try file.bytes(at: base + offset, count: available)
  }
}
