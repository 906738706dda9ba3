import Digests
import Files
import ModelIR

/// A table sorted by key in the LevelDB file format, which TensorFlow uses for checkpoints.
///
/// Values are byte ranges, so that a value of gigabytes costs no more than a single byte.
///
/// Source: LevelDB, doc/table_format.md; tensorflow/core/lib/io/table_format.txt.
struct SortedTable: Sendable {
  /// A key and the byte range of its value.
  struct Entry: Sendable {
    let key: [UInt8]
    let value: Range<Int>
    /// The index of the block that contains the value.
    let block: Int
  }

  /// A sequence of entries with a common checksum.
  struct Block: Sendable {
    /// The byte range of the entries and restart offsets.
    let contents: Range<Int>
    fileprivate let entries: Range<Int>
    /// The masked CRC-32C of the contents and the compression byte.
    let checksum: UInt32

    /// The byte range that the checksum covers.
    var checked: Range<Int> { contents.lowerBound..<contents.upperBound + 1 }
  }

  let file: RandomAccessFile
  /// The entries, sorted by key; keys are unique.
  private(set) var entries: [Entry] = []
  /// The blocks that contain ``entries``.
  private(set) var blocks: [Block] = []
  private var keyBytesLeft = keyLimit

  /// The magic number at the end of a table.
  static let magic: [UInt8] = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]

  private static let footerSize = 48
  /// The size of the block trailer: the compression byte and the checksum.
  private static let trailerSize = 5
  /// The maximum number of entries, well above that of any known network.
  static let entryLimit = 1 << 21
  /// The maximum total size of the keys, in bytes.
  private static let keyLimit = 1 << 26

  /// Reads all keys of `file`; verifying the checksums of ``blocks`` is left to the caller.
  ///
  /// - Throws: `badData` if the file is not a table, is damaged, or is compressed.
  init(_ file: RandomAccessFile) throws(NetconvError) {
    self.file = file
    do throws(NetconvError) {
      let blocksEnd = file.size - Self.footerSize
      guard blocksEnd >= 0, try file.bytes(at: file.size - 8, count: 8) == Self.magic else {
        throw .noTable
      }
      var window = FileWindow(table: file)
      let index = try indexBlock(&window, blocksEnd)
      try Self.check(index, of: file)
      var end = 0
      var handles: [Block] = []
      try forEachEntry(in: index, &window) { (_, value, window) throws(NetconvError) in
        guard handles.count < Self.entryLimit else { throw .tooManyEntries(Self.entryLimit) }
        var position = value.lowerBound
        let block = try Self.block(
          &window, &position, before: value.upperBound, end: index.contents.lowerBound)
        guard block.contents.lowerBound >= end else {
          throw .tableOrder(at: value.lowerBound)
        }
        end = block.contents.upperBound + Self.trailerSize
        handles.append(block)
      }
      blocks = handles
      try readEntries(&window)
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// Returns the entry for a key; `nil` if there is none.
  subscript(key: [UInt8]) -> Entry? {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if entries[middle].key.lexicographicallyPrecedes(key) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound < entries.count && entries[range.lowerBound].key == key
      ? entries[range.lowerBound] : nil
  }

  /// Verifies the checksum of a block.
  ///
  /// - Throws: `badData` if the block is damaged.
  func check(_ block: Block) throws(NetconvError) {
    do {
      try Self.check(block, of: file)
    } catch {
      throw error.inFile(file.path)
    }
  }

  private mutating func readEntries(_ window: inout FileWindow) throws(NetconvError) {
    var found: [Entry] = []
    for (number, block) in blocks.enumerated() {
      try forEachEntry(in: block, &window) { (key, value, _) throws(NetconvError) in
        guard found.count < Self.entryLimit else { throw .tooManyEntries(Self.entryLimit) }
        if let last = found.last, !last.key.lexicographicallyPrecedes(key) {
          throw .tableOrder(at: value.lowerBound)
        }
        found.append(Entry(key: key, value: value, block: number))
      }
    }
    entries = found
  }

  /// Returns the index block, to which the footer points.
  private func indexBlock(
    _ window: inout FileWindow, _ end: Int
  ) throws(NetconvError) -> Block {
    var position = end
    // The metaindex handle comes first; TensorFlow's metaindex is empty.
    for _ in 0..<2 { _ = try window.varint(&position, before: file.size) }
    return try Self.block(&window, &position, before: file.size, end: end)
  }

  /// Returns the block of a handle, which consists of an offset and a size.
  private static func block(
    _ window: inout FileWindow, _ position: inout Int, before limit: Int, end: Int
  ) throws(NetconvError) -> Block {
    let start = position
    let offset = try window.varint(&position, before: limit)
    let size = try window.varint(&position, before: limit)
    guard offset <= end, size <= end - offset, trailerSize <= end - offset - size else {
      throw .blockOutside(offset, size: size, end: end, at: start)
    }
    guard size >= 4 else { throw .tableCutOff(at: offset) }
    // Reads the end of the block without moving the window, which stays at the handles.
    let end = offset + size
    let bytes = try window.file.bytes(at: end - 4, count: 4 + trailerSize)
    switch bytes[4] {
    case 0: break
    case 1: throw .snappyBlock(at: offset)
    default: throw .wrongCompression(Int(bytes[4]), at: offset)
    }
    // The block ends with the offsets of restart points and their count.
    let restarts = Int(fixed32(bytes[..<4]))
    guard restarts <= (size - 4) / 4 else { throw .tableCutOff(at: end - 4) }
    return Block(
      contents: offset..<end, entries: offset..<end - 4 - 4 * restarts,
      checksum: fixed32(bytes[5...]))
  }

  private static func fixed32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func check(_ block: Block, of file: RandomAccessFile) throws(NetconvError) {
    var checksum = CRC32C()
    try file.forEachChunk(in: block.checked) { checksum.update($0) }
    guard checksum.masked == block.checksum else {
      throw .damagedBlock(at: block.contents.lowerBound)
    }
  }

  /// Calls `body` with each key of a block and the byte range of its value.
  private mutating func forEachEntry(
    in block: Block, _ window: inout FileWindow,
    _ body: ([UInt8], Range<Int>, inout FileWindow) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let limit = block.entries.upperBound
    var key: [UInt8] = []
    var position = block.entries.lowerBound
    while position < limit {
      let entry = position
      let shared = try window.varint(&position, before: limit)
      let added = try window.varint(&position, before: limit)
      let length = try window.varint(&position, before: limit)
      guard shared <= key.count, added <= limit - position, length <= limit - position - added
      else { throw .tableCutOff(at: entry) }
      keyBytesLeft -= shared + added
      guard keyBytesLeft >= 0 else { throw .tooManyKeyBytes(Self.keyLimit) }
      key.removeLast(key.count - shared)
      key += try window.bytes(at: position, count: added)
      position += added
      try body(key, position..<position + length, &window)
      position += length
    }
  }
}

/// Returns the byte ranges of a table's blocks with their compression bytes; checksums are not verified.
///
/// - Throws: `badData` if `file` is not a table.
package func blocksOfTable(_ file: RandomAccessFile) throws(NetconvError) -> [Range<Int>] {
  try SortedTable(file).blocks.map(\.checked)
}

extension NetconvError {
  fileprivate static func tableOrder(at offset: Int) -> NetconvError {
    NetconvError(.badData, "its table is damaged at byte \(offset): entries are out of order")
  }

  fileprivate static func blockOutside(_ offset: Int, size: Int, end: Int, at place: Int)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "its table is damaged at byte \(place): a block of \(size) bytes from byte \(offset) on would go "
        + "beyond byte \(end)")
  }

  fileprivate static func snappyBlock(at offset: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the block at byte \(offset) is compressed with Snappy, which netconv does not read; TensorFlow writes "
        + "checkpoints without compression, so save it again with TensorFlow")
  }

  fileprivate static func wrongCompression(_ type: Int, at offset: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the block at byte \(offset) has the compression \(type), expected 0 (none); the file is damaged"
    )
  }

  fileprivate static func damagedBlock(at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "the block at byte \(offset) does not match its checksum; the file is damaged")
  }

  fileprivate static func tooManyKeyBytes(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) bytes of names, more than any network needs")
  }
}
