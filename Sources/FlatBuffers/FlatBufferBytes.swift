import Files
import ModelIR

/// The bytes that tables lie in: a file, of which only some pages are in memory, or an array.
///
/// Tables of one file share it, and with it the budget: tables may share what they point to, so a small file could name
/// more than any memory holds.
public final class FlatBufferBytes {
  /// The number of bytes.
  public let count: Int
  /// The file; `nil` of bytes in memory.
  public let file: RandomAccessFile?

  private var pages: [Int: [UInt8]] = [:]
  private var last: (index: Int, page: [UInt8])?
  private var tablesLeft = FlatBufferLimits.tables
  private var elementsLeft = FlatBufferLimits.elements

  /// The bytes of a file.
  public init(_ file: RandomAccessFile) {
    self.file = file
    count = file.size
  }

  /// Bytes in memory.
  public init(_ bytes: [UInt8]) {
    file = nil
    count = bytes.count
    for start in stride(from: 0, to: bytes.count, by: FlatBufferLimits.page) {
      pages[start / FlatBufferLimits.page] = Array(
        bytes[start..<min(bytes.count, start + FlatBufferLimits.page)])
    }
  }

  /// Counts a table that is looked at.
  func countTable() throws(NetconvError) {
    tablesLeft -= 1
    guard tablesLeft >= 0 else { throw .tooManyTables(limit: FlatBufferLimits.tables) }
  }

  /// Counts elements of vectors that are taken over.
  func countElements(_ count: Int) throws(NetconvError) {
    elementsLeft -= count
    guard elementsLeft >= 0 else { throw .tooManyElements(limit: FlatBufferLimits.elements) }
  }

  /// The integer of `width` bytes from `offset` on, the lowest byte first.
  ///
  /// - Throws: `badData` if the bytes are not all there.
  func bits(at offset: Int, width: Int, _ type: String) throws(NetconvError) -> UInt64 {
    guard offset >= 0, offset <= count - width else {
      throw .outside(type, at: offset, count: count)
    }
    var bits: UInt64 = 0
    for index in 0..<width {
      bits |= UInt64(try byte(at: offset + index)) << UInt64(8 * index)
    }
    return bits
  }

  /// The bytes at `range`, which is within ``count``.
  func bytes(at range: Range<Int>) throws(NetconvError) -> [UInt8] {
    if let file { return try file.bytes(at: range.lowerBound, count: range.count) }
    return try range.map { offset throws(NetconvError) in try byte(at: offset) }
  }

  /// The byte at `offset`, which is less than ``count``.
  private func byte(at offset: Int) throws(NetconvError) -> UInt8 {
    let index = offset / FlatBufferLimits.page
    if let last, last.index == index { return last.page[offset % FlatBufferLimits.page] }
    let page = try self.page(index)
    last = (index, page)
    return page[offset % FlatBufferLimits.page]
  }

  private func page(_ index: Int) throws(NetconvError) -> [UInt8] {
    if let page = pages[index] { return page }
    guard let file else { return [] }
    if pages.count >= FlatBufferLimits.pages { pages.removeAll() }
    let start = index * FlatBufferLimits.page
    let page = try file.bytes(at: start, count: min(FlatBufferLimits.page, count - start))
    pages[index] = page
    return page
  }
}

/// What a file may make a reader do.
enum FlatBufferLimits {
  /// Tables that are looked at: a network of a hundred thousand tensors has some five times as many.
  static let tables = 1 << 21
  /// Elements of vectors that are taken over, sizes of shapes and scales of channels among them.
  static let elements = 1 << 24
  /// Bytes of a file that are read at once.
  static let page = 1 << 14
  /// Pages of a file that are in memory.
  static let pages = 256
}

extension NetconvError {
  fileprivate static func outside(_ type: String, at offset: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(type) refers to byte \(offset) of \(count); the file is truncated or damaged")
  }

  fileprivate static func tooManyTables(limit: Int) -> NetconvError {
    NetconvError(.badData, "the file names more than \(limit) tables; no network has as many")
  }

  fileprivate static func tooManyElements(limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the file names more than \(limit) sizes, scales and letters; no network has as many")
  }
}
