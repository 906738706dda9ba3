import ModelIR

/// A part of a file, kept for small reads that lie close together.
public struct FileWindow {
  /// The file.
  public let file: RandomAccessFile
  /// Bytes that are read at once.
  private let size: Int
  private var bytes: [UInt8] = []
  /// Where the bytes begin in the file.
  private var start = 0

  /// Bytes of the whole file, when it was opened.
  public var fileSize: Int { file.size }

  /// Reads nothing yet, and then `size` bytes at once.
  public init(_ file: RandomAccessFile, size: Int = 512) {
    self.file = file
    self.size = size
  }

  /// The byte at `offset`.
  ///
  /// - Throws: as ``RandomAccessFile/bytes(at:count:)``.
  public mutating func byte(at offset: Int) throws(NetconvError) -> UInt8 {
    if offset >= start, offset - start < bytes.count { return bytes[offset - start] }
    return try bytes(at: offset, count: 1)[0]
  }

  /// The `count` bytes from `offset` on.
  ///
  /// - Throws: as ``RandomAccessFile/bytes(at:count:)``.
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
