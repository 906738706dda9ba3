import Digests
import Files
import ModelIR

/// A table of keys and values in the order of the keys: the format of LevelDB's files, in which TensorFlow writes
/// checkpoints.
///
/// Values are places. A value of gigabytes costs no more than one of a byte.
///
/// Source: LevelDB, doc/table_format.md; tensorflow/core/lib/io/table_format.txt.
struct SortedTable: Sendable {
  /// A key, and where its value lies.
  struct Entry: Sendable {
    let key: [UInt8]
    let value: Range<Int>
    /// The number of the block that holds the value.
    let block: Int
  }

  /// Entries that lie together, and have one checksum.
  struct Block: Sendable {
    /// The entries, and the places of some of them.
    let contents: Range<Int>
    fileprivate let entries: Range<Int>
    /// The masked CRC-32C of the contents and of the byte behind them.
    let checksum: UInt32

    /// What the checksum covers.
    var checked: Range<Int> { contents.lowerBound..<contents.upperBound + 1 }
  }

  let file: RandomAccessFile
  /// In the order of their keys, all of which differ.
  private(set) var entries: [Entry] = []
  /// Those that hold ``entries``.
  private(set) var blocks: [Block] = []
  private var keyBytesLeft = keyLimit

  /// The last bytes of a table.
  static let magic: [UInt8] = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]

  private static let footerSize = 48
  /// Behind the contents of a block: how it is compressed, and its checksum.
  private static let trailerSize = 5
  /// Variables of all networks that were ever saved are fewer.
  static let entryLimit = 1 << 21
  /// Bytes of all keys together.
  private static let keyLimit = 1 << 26

  /// Reads all keys of `file`; the checksums of ``blocks`` are left to the caller.
  ///
  /// - Throws: `badData` if the file is no table, is damaged, or is compressed.
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

  /// The value of a key; `nil` if it is not there.
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

  /// Compares a block with its checksum.
  ///
  /// - Throws: `badData` if it is damaged.
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

  /// The block that says where the others are; the footer says where it is.
  private func indexBlock(
    _ window: inout FileWindow, _ end: Int
  ) throws(NetconvError) -> Block {
    var position = end
    // The block about other blocks comes first; TensorFlow's is empty.
    for _ in 0..<2 { _ = try window.varint(&position, before: file.size) }
    return try Self.block(&window, &position, before: file.size, end: end)
  }

  /// The block that a handle leads to: an offset and a size.
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
    // Two places of the file in turn: the window stays where the handles are.
    let end = offset + size
    let bytes = try window.file.bytes(at: end - 4, count: 4 + trailerSize)
    switch bytes[4] {
    case 0: break
    case 1: throw .snappyBlock(at: offset)
    default: throw .wrongCompression(Int(bytes[4]), at: offset)
    }
    // At the end, the offsets of keys that are written whole, and how many there are.
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

  /// Passes on each key of a block, and the place of its value.
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

/// Where the blocks of a table lie whose checksums nobody has compared, with the byte behind each that says how it is
/// compressed.
///
/// - Throws: `badData` if `file` is no table.
package func blocksOfTable(_ file: RandomAccessFile) throws(NetconvError) -> [Range<Int>] {
  try SortedTable(file).blocks.map(\.checked)
}
