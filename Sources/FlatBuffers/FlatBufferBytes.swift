import Files
import ModelIR

/// The bytes of a FlatBuffer: a file, with a cache of its pages, or an array in memory.
///
/// All tables of a file share this object and its limits. Several offsets may point to the same table, so a small file
/// could otherwise expand to more tables than fit in memory.
public final class FlatBufferBytes {
  /// The number of bytes.
  public let count: Int
  /// The file; `nil` for bytes in memory.
  public let file: RandomAccessFile?

  private var pages: [Int: [UInt8]] = [:]
  private var last: (index: Int, page: [UInt8])?
  private var tablesLeft = FlatBufferLimits.tables
  private var elementsLeft = FlatBufferLimits.elements

  /// Creates a buffer that reads from a file.
  public init(_ file: RandomAccessFile) {
    self.file = file
    count = file.size
  }

  /// Creates a buffer from bytes in memory.
  public init(_ bytes: [UInt8]) {
    file = nil
    count = bytes.count
    for start in stride(from: 0, to: bytes.count, by: FlatBufferLimits.page) {
      pages[start / FlatBufferLimits.page] = Array(
        bytes[start..<min(bytes.count, start + FlatBufferLimits.page)])
    }
  }

  /// Counts a table towards the limit.
  ///
  /// - Throws: `badData` if the limit is exceeded.
  func countTable() throws(NetconvError) {
    tablesLeft -= 1
    guard tablesLeft >= 0 else { throw .tooManyTables(limit: FlatBufferLimits.tables) }
  }

  /// Counts copied vector elements towards the limit.
  ///
  /// - Throws: `badData` if the limit is exceeded.
  func countElements(_ count: Int) throws(NetconvError) {
    elementsLeft -= count
    guard elementsLeft >= 0 else { throw .tooManyElements(limit: FlatBufferLimits.elements) }
  }

  /// The little-endian integer of `width` bytes at `offset`.
  ///
  /// - Throws: `badData` if it is not within the buffer.
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

  /// The bytes in `range`, which must be within ``count``.
  func bytes(at range: Range<Int>) throws(NetconvError) -> [UInt8] {
    if let file { return try file.bytes(at: range.lowerBound, count: range.count) }
    return try range.map { offset throws(NetconvError) in try byte(at: offset) }
  }

  /// The byte at `offset`, which must be less than ``count``.
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

/// Limits on the work that a file can cause.
enum FlatBufferLimits {
  /// The maximum number of tables read; a network with 100,000 tensors has about 500,000 tables.
  static let tables = 1 << 21
  /// The maximum number of vector elements copied, including shapes and per-channel scales.
  static let elements = 1 << 24
  /// The size of a page in bytes.
  static let page = 1 << 14
  /// The maximum number of cached pages.
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
