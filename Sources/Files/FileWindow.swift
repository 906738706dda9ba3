import ModelIR

/// A buffered window of a file, for small reads at nearby offsets.
public struct FileWindow {
  /// The file.
  public let file: RandomAccessFile
  /// The number of bytes read at once.
  private let size: Int
  private var bytes: [UInt8] = []
  /// The offset of the buffered bytes in the file.
  private var start = 0

  /// The size of the whole file when it was opened, in bytes.
  public var fileSize: Int { file.size }

  /// Creates an empty window that reads `size` bytes at once.
  public init(_ file: RandomAccessFile, size: Int = 512) {
    self.file = file
    self.size = size
  }

  /// Returns the byte at `offset`.
  ///
  /// - Throws: The errors of ``RandomAccessFile/bytes(at:count:)``.
  public mutating func byte(at offset: Int) throws(NetconvError) -> UInt8 {
    if offset >= start, offset - start < bytes.count { return bytes[offset - start] }
    return try bytes(at: offset, count: 1)[0]
  }

  /// Returns `count` bytes from `offset` on.
  ///
  /// - Throws: The errors of ``RandomAccessFile/bytes(at:count:)``.
  public mutating func bytes(at offset: Int, count: Int) throws(NetconvError) -> [UInt8] {
    guard offset >= 0, 0...size ~= count, offset <= file.size - count else {
      return try file.bytes(at: offset, count: count)
    }
    if offset < start || offset - start > bytes.count - count {
      bytes = try file.bytes(at: offset, count: min(size, file.size - offset))
      start = offset
    }
    return Array(bytes[offset - start..<offset - start + count])
  }
}
