import ModelIR

/// A part of a file, kept for small reads that lie close together.
public struct FileWindow {
  private let file: RandomAccessFile
  private var bytes: [UInt8] = []
  /// Where the bytes begin in the file.
  private var start = 0

  private static let size = 512

  /// Bytes of the whole file, when it was opened.
  public var fileSize: Int { file.size }

  /// Reads nothing yet.
  public init(_ file: RandomAccessFile) {
    self.file = file
  }

  /// The `count` bytes from `offset` on.
  ///
  /// - Throws: as ``RandomAccessFile/bytes(at:count:)``.
  public mutating func bytes(at offset: Int, count: Int) throws(NetconvError) -> [UInt8] {
    guard offset >= 0, 0...Self.size ~= count, offset <= file.size - count else {
      return try file.bytes(at: offset, count: count)
    }
    if offset < start || offset - start > bytes.count - count {
      bytes = try file.bytes(at: offset, count: min(Self.size, file.size - offset))
      start = offset
    }
    return Array(bytes[offset - start..<offset - start + count])
  }
}
