import Files
import ModelIR

/// A place in the header of a GGUF file, which moves as values are read.
///
/// Source: ggml/docs/gguf.md, "File Structure".
struct GGUFCursor {
  private var window: FileWindow
  /// Where the next value begins.
  private(set) var offset: Int
  let order: ByteOrder

  /// Values from `offset` on.
  init(_ file: RandomAccessFile, at offset: Int, _ order: ByteOrder) {
    window = FileWindow(file, size: 1 << 16)
    self.offset = offset
    self.order = order
  }

  /// Bytes of the file from here on.
  var left: Int { window.fileSize - offset }

  /// The next `count` bytes.
  ///
  /// - Throws: `badData` if there are fewer.
  mutating func bytes(_ count: Int) throws(NetconvError) -> [UInt8] {
    guard 0...left ~= count else { throw .shortGGUF(offset) }
    defer { offset += count }
    return try window.bytes(at: offset, count: count)
  }

  /// Passes over so many bytes.
  ///
  /// - Throws: `badData` if there are fewer.
  mutating func skip(_ count: Int) throws(NetconvError) {
    guard 0...left ~= count else { throw .shortGGUF(offset) }
    offset += count
  }

  /// The next integer.
  mutating func integer<Value: FixedWidthInteger>(
    _: Value.Type = Value.self
  ) throws(NetconvError) -> Value {
    let bytes = try bytes(Value.bitWidth / 8)
    let value = bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    return order == .little ? Value(littleEndian: value) : Value(bigEndian: value)
  }

  /// The next integer of 64 bits, as a number of things that each take at least `size` bytes.
  ///
  /// - Throws: `badData` if the file cannot have so many.
  mutating func count(of size: Int) throws(NetconvError) -> Int {
    let place = offset
    let count = try integer(UInt64.self)
    guard count <= UInt64(left / size) else { throw .tooManyInGGUF(count, at: place) }
    return Int(count)
  }

  /// The next text.
  ///
  /// - Throws: `badData` if it is longer than `limit`, or no UTF-8.
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
