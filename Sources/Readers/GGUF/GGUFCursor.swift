import Files
import ModelIR

/// A read position in the header of a GGUF file.
///
/// Source: ggml/docs/gguf.md, "File Structure".
struct GGUFCursor {
  private var window: FileWindow
  /// The offset of the next value.
  private(set) var offset: Int
  let order: ByteOrder

  /// Creates a cursor at `offset`.
  init(_ file: RandomAccessFile, at offset: Int, _ order: ByteOrder) {
    window = FileWindow(file, size: 1 << 16)
    self.offset = offset
    self.order = order
  }

  /// The number of bytes between ``offset`` and the end of the file.
  var left: Int { window.fileSize - offset }

  /// Reads the next `count` bytes.
  ///
  /// - Throws: `badData` if fewer are left.
  mutating func bytes(_ count: Int) throws(NetconvError) -> [UInt8] {
    guard 0...left ~= count else { throw .shortGGUF(offset) }
    defer { offset += count }
    return try window.bytes(at: offset, count: count)
  }

  /// Skips `count` bytes.
  ///
  /// - Throws: `badData` if fewer are left.
  mutating func skip(_ count: Int) throws(NetconvError) {
    guard 0...left ~= count else { throw .shortGGUF(offset) }
    offset += count
  }

  /// Reads the next integer in the file's byte order.
  mutating func integer<Value: FixedWidthInteger>(
    _: Value.Type = Value.self
  ) throws(NetconvError) -> Value {
    let bytes = try bytes(Value.bitWidth / 8)
    let value = bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    return order == .little ? Value(littleEndian: value) : Value(bigEndian: value)
  }

  /// Reads a 64-bit count of items that occupy at least `size` bytes each.
  ///
  /// - Throws: `badData` if the rest of the file cannot hold that many.
  mutating func count(of size: Int) throws(NetconvError) -> Int {
    let place = offset
    let count = try integer(UInt64.self)
    guard count <= UInt64(left / size) else { throw .tooManyInGGUF(count, at: place) }
    return Int(count)
  }

  /// Reads a string.
  ///
  /// - Throws: `badData` if it is longer than `limit` bytes or not valid UTF-8.
  mutating func name(limit: Int) throws(NetconvError) -> String {
    let place = offset
    let count = try count(of: 1)
    guard count <= limit, let text = String(utf8: try bytes(count)) else {
      throw .wrongNameInGGUF(at: place)
    }
    return text
  }
}

extension NetconvError {
  fileprivate static func wrongNameInGGUF(at offset: Int) -> NetconvError {
    NetconvError(.badData, "the name at byte \(offset) is no text in UTF-8, or too long")
  }
}
