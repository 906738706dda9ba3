import Files
import ModelIR

/// The work of reading a central directory; every offset and size is checked against the file.
struct ZipDirectory {
  private let file: RandomAccessFile
  private let bytes: [UInt8]
  private let count: Int

  /// Finds the directory from the end of the file.
  init(_ file: RandomAccessFile) throws(NetconvError) {
    self.file = file
    let tailSize = min(file.size, 65_535 + 22)
    let tailStart = file.size - tailSize
    let tail = try file.bytes(at: tailStart, count: tailSize)
    guard
      let end = stride(from: tailSize - 22, through: 0, by: -1).first(where: {
        tail.read32($0) == 0x0605_4b50
      })
    else { throw .notZip("there is no end record; the file may be truncated") }
    var count = tail.read16(end + 10)
    var size = tail.read32(end + 12)
    var offset = tail.read32(end + 16)
    if let zip64 = try Self.zip64End(file, before: tailStart + end) {
      count = zip64.count
      size = zip64.size
      offset = zip64.offset
    }
    guard offset >= 0, size >= 0, offset <= tailStart + end, size <= tailStart + end - offset,
      count >= 0, count <= size / 46
    else { throw .notZip("its directory does not fit into the file") }
    bytes = try file.bytes(at: offset, count: size)
    self.count = count
  }

  private static func zip64End(
    _ file: RandomAccessFile, before end: Int
  ) throws(NetconvError) -> (count: Int, size: Int, offset: Int)? {
    guard end >= 20 else { return nil }
    let locator = try file.bytes(at: end - 20, count: 20)
    guard locator.read32(0) == 0x0706_4b50 else { return nil }
    let record = try file.bytes(at: locator.read64(8), count: 56)
    guard record.read32(0) == 0x0606_4b50 else {
      throw .notZip("its ZIP64 end record is missing")
    }
    return (record.read64(32), record.read64(40), record.read64(48))
  }

  /// Every record of the directory.
  func entries() throws(NetconvError) -> [ZipArchive.Entry] {
    var entries: [ZipArchive.Entry] = []
    var names: Set<String> = []
    var position = 0
    for _ in 0..<count {
      guard position + 46 <= bytes.count, bytes.read32(position) == 0x0201_4b50 else {
        throw .notZip("its directory is damaged")
      }
      let nameCount = bytes.read16(position + 28)
      let extraCount = bytes.read16(position + 30)
      let next = position + 46 + nameCount + extraCount + bytes.read16(position + 32)
      guard next <= bytes.count else { throw .notZip("its directory is damaged") }
      let entry = try entry(at: position, nameCount, extraCount)
      guard names.insert(entry.name).inserted else {
        throw .notZip("the entry \(quoted(entry.name)) is there twice")
      }
      entries.append(entry)
      position = next
    }
    return entries
  }

  private func entry(
    at position: Int, _ nameCount: Int, _ extraCount: Int
  ) throws(NetconvError) -> ZipArchive.Entry {
    let nameStart = position + 46
    let name = String(decoding: bytes[nameStart..<nameStart + nameCount], as: UTF8.self)
    var wide = zip64Values(nameStart + nameCount..<nameStart + nameCount + extraCount)[...]
    func resolve(_ value: Int) -> Int {
      value == ZipLayout.limit32 ? wide.popFirst() ?? value : value
    }
    let size = resolve(bytes.read32(position + 24))
    let storedSize = resolve(bytes.read32(position + 20))
    let header = resolve(bytes.read32(position + 42))
    let local = try file.bytes(at: header, count: 30)
    guard local.read32(0) == 0x0403_4b50 else {
      throw .notZip("the entry \(quoted(name)) has no header")
    }
    let dataOffset = header + 30 + local.read16(26) + local.read16(28)
    guard size >= 0, storedSize >= 0, dataOffset <= file.size,
      storedSize <= file.size - dataOffset
    else { throw .notZip("the entry \(quoted(name)) does not fit into the file") }
    return ZipArchive.Entry(
      name: name, method: bytes.read16(position + 10),
      checksum: UInt32(truncatingIfNeeded: bytes.read32(position + 16)), storedSize: storedSize,
      size: size, dataOffset: dataOffset)
  }

  /// The 64-bit values of a ZIP64 extra field: those of size, stored size and offset that need them.
  private func zip64Values(_ range: Range<Int>) -> [Int] {
    var position = range.lowerBound
    while position + 4 <= range.upperBound {
      let size = bytes.read16(position + 2)
      let next = position + 4 + size
      guard next <= range.upperBound else { return [] }
      if bytes.read16(position) == 1 {
        return stride(from: position + 4, through: next - 8, by: 8).map(bytes.read64)
      }
      position = next
    }
    return []
  }
}

extension [UInt8] {
  fileprivate func read16(_ offset: Int) -> Int {
    Int(self[offset]) | Int(self[offset + 1]) << 8
  }

  fileprivate func read32(_ offset: Int) -> Int {
    read16(offset) | read16(offset + 2) << 16
  }

  /// Values past the largest `Int` come out negative, which every check refuses.
  fileprivate func read64(_ offset: Int) -> Int {
    read32(offset) | read32(offset + 4) << 32
  }
}
