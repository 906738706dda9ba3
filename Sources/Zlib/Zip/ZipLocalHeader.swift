import Files
import ModelIR

/// The fields of an entry that both its local header and its central directory record contain.
struct ZipEntryFields: Equatable {
  var name: [UInt8]
  var flags: Int
  var method: Int
  var checksum: Int
  var storedSize: Int
  var size: Int

  /// The flags of unsupported features: encryption, patches, masked headers and undefined bits.
  private static let unreadable = 1 << 0 | 1 << 5 | 1 << 6 | 1 << 13

  /// True if checksum and sizes follow the data, as in an archive that was written to a pipe.
  var isDescribedBehind: Bool { flags & 1 << 3 != 0 }

  /// True if the data can be read, provided that the compression method is supported.
  var isReadable: Bool { flags & Self.unreadable == 0 }
}

/// The local header before an entry's data.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7 and 4.3.9.
struct ZipLocalHeader {
  static let byteCount = 30

  let fields: ZipEntryFields
  /// The offset of the data in the file.
  let dataOffset: Int

  /// Reads the header at `offset`, where at least ``byteCount`` bytes must be available.
  ///
  /// - Throws: `badData` if there is no header; `inputOutput`.
  init(_ window: inout FileWindow, at offset: Int, of entry: String) throws(NetconvError) {
    let start = try window.bytes(at: offset, count: Self.byteCount)
    guard start.read32(0) == 0x0403_4b50 else {
      throw .notZip("the entry \(quoted(entry)) has no header")
    }
    let (nameCount, extraCount) = (start.read16(26), start.read16(28))
    dataOffset = offset + Self.byteCount + nameCount + extraCount
    guard dataOffset <= window.fileSize else {
      throw .notZip("the entry \(quoted(entry)) does not fit into the file")
    }
    let rest = try window.bytes(at: offset + Self.byteCount, count: nameCount + extraCount)
    var wide = rest.zip64Values(nameCount..<rest.count)?[...] ?? []
    // The order of the ZIP64 values, which differs from the order in the header.
    let size = start.read32(22).resolvedZip64(&wide)
    let storedSize = start.read32(18).resolvedZip64(&wide)
    fields = ZipEntryFields(
      name: Array(rest[..<nameCount]), flags: start.read16(6), method: start.read16(8),
      checksum: start.read32(14), storedSize: storedSize, size: size)
  }

  /// Checks that the header agrees with the central directory.
  ///
  /// - Throws: `badData` that names the differing fields.
  func check(
    against directory: ZipEntryFields, of entry: String, in window: inout FileWindow
  ) throws(NetconvError) {
    var own = fields
    if fields.isDescribedBehind, directory.isDescribedBehind {
      try checkDescriptor(directory, of: entry, in: &window)
      // Fields that are unknown when the header is written are 0.
      if own.checksum == 0 { own.checksum = directory.checksum }
      if own.storedSize == 0 { own.storedSize = directory.storedSize }
      if own.size == 0 { own.size = directory.size }
    }
    guard own != directory else { return }
    let differences = [
      ("name", own.name == directory.name), ("flags", own.flags == directory.flags),
      ("method", own.method == directory.method), ("CRC-32", own.checksum == directory.checksum),
      ("stored size", own.storedSize == directory.storedSize), ("size", own.size == directory.size),
    ]
    if let first = differences.first(where: { !$0.1 }) {
      throw .notZip(
        "the \(first.0) of the entry \(quoted(entry)) differs between its header and the directory"
      )
    }
  }

  /// Checks the data descriptor: checksum and sizes of 4 or 8 bytes, with or without a signature.
  private func checkDescriptor(
    _ directory: ZipEntryFields, of entry: String, in window: inout FileWindow
  ) throws(NetconvError) {
    let end = dataOffset + directory.storedSize
    let bytes = try window.bytes(at: end, count: max(0, min(24, window.fileSize - end)))
    let isDescribed = [0, 4].contains { start in
      guard start == 0 || bytes.count >= 4 && bytes.read32(0) == 0x0807_4b50 else { return false }
      let short =
        bytes.count >= start + 12
        && (bytes.read32(start + 4), bytes.read32(start + 8))
          == (directory.storedSize, directory.size)
      let long =
        bytes.count >= start + 20
        && (bytes.read64(start + 4), bytes.read64(start + 12))
          == (directory.storedSize, directory.size)
      return (short || long) && bytes.read32(start) == directory.checksum
    }
    guard isDescribed else {
      throw .notZip(
        "the data descriptor of the entry \(quoted(entry)) differs from the directory")
    }
  }
}

extension [UInt8] {
  /// Returns the values of the ZIP64 extra field among the extra fields in `range`, empty if there is none; `nil` if
  /// the fields do not fill the range.
  func zip64Values(_ range: Range<Int>) -> [Int]? {
    var position = range.lowerBound
    var values: [Int] = []
    while position + 4 <= range.upperBound {
      let next = position + 4 + read16(position + 2)
      guard next <= range.upperBound else { return nil }
      if read16(position) == 1, values.isEmpty {
        values = stride(from: position + 4, through: next - 8, by: 8).map(read64)
      }
      position = next
    }
    return position == range.upperBound ? values : nil
  }

  func read16(_ offset: Int) -> Int {
    Int(self[offset]) | Int(self[offset + 1]) << 8
  }

  func read32(_ offset: Int) -> Int {
    read16(offset) | read16(offset + 2) << 16
  }

  /// Values above the largest `Int` become negative, which all checks reject.
  func read64(_ offset: Int) -> Int {
    read32(offset) | read32(offset + 4) << 32
  }
}

extension Int {
  /// Returns the value, or the next ZIP64 value if this is the marker for one.
  func resolvedZip64(_ wide: inout ArraySlice<Int>) -> Int {
    self == ZipLayout.limit32 ? wide.popFirst() ?? self : self
  }
}
