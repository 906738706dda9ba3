import Files
import ModelIR

/// Reads a central directory, checking every offset and size against the file.
struct ZipDirectory {
  private let file: RandomAccessFile
  private let bytes: [UInt8]
  private let count: Int

  /// The newest supported version of the format, in tenths.
  private static let newestVersion = 63

  /// Locates the directory from the end of the file.
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
    guard [0, 0xffff].contains(tail.read16(end + 4)), [0, 0xffff].contains(tail.read16(end + 6)),
      tail.read16(end + 8) == tail.read16(end + 10)
    else { throw .severalDisks }
    var count = tail.read16(end + 10)
    var size = tail.read32(end + 12)
    var offset = tail.read32(end + 16)
    if let zip64 = try Self.zip64End(file, before: tailStart + end) {
      count = zip64.count
      size = zip64.size
      offset = zip64.offset
    }
    guard offset >= 0, size >= 0, offset <= tailStart + end, size <= tailStart + end - offset,
      0...size / 46 ~= count
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
    let offset = locator.read64(8)
    guard 0...end ~= offset, end - offset >= 20 + 56 else {
      throw .notZip("its ZIP64 end record does not fit into the file")
    }
    let record = try file.bytes(at: offset, count: 56)
    guard record.read32(0) == 0x0606_4b50 else {
      throw .notZip("its ZIP64 end record is missing")
    }
    return (record.read64(32), record.read64(40), record.read64(48))
  }

  /// Returns every record of the directory, and the index of each name.
  func entries() throws(NetconvError) -> ([ZipArchive.Entry], places: [String: Int]) {
    var entries: [ZipArchive.Entry] = []
    var places: [String: Int] = [:]
    var window = FileWindow(file)
    entries.reserveCapacity(count)
    places.reserveCapacity(count)
    var position = 0
    for _ in 0..<count {
      guard position + 46 <= bytes.count, bytes.read32(position) == 0x0201_4b50 else {
        throw .notZip("its directory is damaged")
      }
      let nameCount = bytes.read16(position + 28)
      let extraCount = bytes.read16(position + 30)
      let next = position + 46 + nameCount + extraCount + bytes.read16(position + 32)
      guard next <= bytes.count else { throw .notZip("its directory is damaged") }
      let entry = try entry(at: position, nameCount, extraCount, &window)
      guard places.updateValue(entries.count, forKey: entry.name) == nil else {
        throw .notZip("the entry \(quoted(entry.name)) occurs twice")
      }
      entries.append(entry)
      position = next
    }
    guard position == bytes.count else { throw .notZip("its directory is damaged") }
    return (entries, places)
  }

  private func entry(
    at position: Int, _ nameCount: Int, _ extraCount: Int, _ window: inout FileWindow
  ) throws(NetconvError) -> ZipArchive.Entry {
    let nameStart = position + 46
    let nameBytes = Array(bytes[nameStart..<nameStart + nameCount])
    let name = String(decoding: nameBytes, as: UTF8.self).exact
    let extra = nameStart + nameCount..<nameStart + nameCount + extraCount
    guard let values = bytes.zip64Values(extra) else { throw .notZip("its directory is damaged") }
    var wide = values[...]
    let size = bytes.read32(position + 24).resolvedZip64(&wide)
    let storedSize = bytes.read32(position + 20).resolvedZip64(&wide)
    let header = bytes.read32(position + 42).resolvedZip64(&wide)
    guard 0...file.size ~= header, file.size - header >= ZipLocalHeader.byteCount else {
      throw .notZip("the entry \(quoted(name)) does not fit into the file")
    }
    let local = try ZipLocalHeader(&window, at: header, of: name)
    guard size >= 0, storedSize >= 0, storedSize <= file.size - local.dataOffset else {
      throw .notZip("the entry \(quoted(name)) does not fit into the file")
    }
    let fields = ZipEntryFields(
      name: nameBytes, flags: bytes.read16(position + 8), method: bytes.read16(position + 10),
      checksum: bytes.read32(position + 16), storedSize: storedSize, size: size)
    try local.check(against: fields, of: name, in: &window)
    try check(fields, at: position, name)
    return ZipArchive.Entry(
      name: name, method: fields.method,
      checksum: UInt32(truncatingIfNeeded: fields.checksum), storedSize: storedSize, size: size,
      dataOffset: local.dataOffset)
  }

  /// Checks that an entry requires no unsupported features.
  private func check(
    _ fields: ZipEntryFields, at position: Int, _ name: String
  ) throws(NetconvError) {
    guard fields.isReadable else { throw .encryptedEntry(name) }
    let version = Int(bytes[position + 6])
    guard version <= Self.newestVersion else {
      throw .newerEntry(name, version: version, known: Self.newestVersion)
    }
    guard [0, 0xffff].contains(bytes.read16(position + 34)) else { throw .severalDisks }
    guard fields.method != 0 || fields.size == fields.storedSize else {
      throw .notZip("the entry \(quoted(name)) is stored, but has two sizes")
    }
  }
}

extension NetconvError {
  fileprivate static var severalDisks: NetconvError {
    .notZip("it is one of several parts, or its end record is damaged; join the parts first")
  }

  fileprivate static func encryptedEntry(_ entry: String) -> NetconvError {
    NetconvError(
      .badData,
      "the archive's entry \(quoted(entry)) is encrypted or patched, which netconv does not read; write "
        + "the archive again without that")
  }

  fileprivate static func newerEntry(_ entry: String, version: Int, known: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the archive's entry \(quoted(entry)) needs version \(version / 10).\(version % 10) of ZIP, netconv "
        + "knows \(known / 10).\(known % 10)")
  }
}
