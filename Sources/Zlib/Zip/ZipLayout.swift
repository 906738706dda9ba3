import ModelIR

/// The layout of a ZIP archive of stored entries: their offsets, and the headers around them.
///
/// Entries are planned first and written in any order; headers only require the checksums. ZIP64 is used for entries
/// whose size or offset needs it. All times are 1980-01-01, so that equal entries produce equal bytes.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5.
public struct ZipLayout: Sendable {
  /// A planned entry.
  public struct Entry: Sendable {
    /// The path in the archive.
    public let name: String
    /// The size of the data in bytes.
    public let size: Int
    /// The offset of the local header.
    public let headerOffset: Int
    /// The offset of the data.
    public let dataOffset: Int

    fileprivate let extra: [UInt8]
    fileprivate var needsZip64: Bool { size >= ZipLayout.limit32 }
  }

  /// The entries, in the order of the archive.
  public private(set) var entries: [Entry] = []
  /// The offset of the central directory.
  public private(set) var end = 0

  static let limit32 = 0xffff_ffff

  /// Creates an empty archive.
  public init() {}

  /// Plans an entry whose data is aligned to `alignment`.
  ///
  /// - Parameters:
  ///   - name: At most 65,535 bytes of UTF-8.
  ///   - size: The size of the data in bytes.
  ///   - alignment: 1 to 16,384.
  @discardableResult
  public mutating func append(_ name: String, size: Int, alignment: Int = 1) -> Entry {
    let name = name.plain
    var extra = size >= Self.limit32 ? Self.zip64Extra(size, size) : []
    let unaligned = end + 30 + name.utf8.count + extra.count
    if unaligned % alignment != 0 {
      extra += Self.alignmentExtra(from: unaligned, to: alignment)
    }
    let entry = Entry(
      name: name, size: size, headerOffset: end,
      dataOffset: end + 30 + name.utf8.count + extra.count, extra: extra)
    entries.append(entry)
    end = entry.dataOffset + size
    return entry
  }

  /// Returns the bytes from ``Entry/headerOffset`` to ``Entry/dataOffset``.
  public func localHeader(of entry: Entry, checksum: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append32(0x0403_4b50)
    let version = entry.needsZip64 ? 45 : 20
    appendCommonFields(
      entry, checksum, version: version, extraCount: entry.extra.count, to: &bytes)
    return bytes + Array(entry.name.utf8) + entry.extra
  }

  /// Returns the central directory and end records, to be written at ``end``.
  ///
  /// - Parameters:
  ///   - checksums: The CRC-32 of each entry, in order.
  ///   - comment: The comment of the archive, at most 65,535 bytes.
  public func directory(checksums: [UInt32], comment: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    for (entry, checksum) in zip(entries, checksums) {
      appendDirectoryRecord(entry, checksum, to: &bytes)
    }
    let size = bytes.count
    if entries.count >= 0xffff || end >= Self.limit32 {
      appendZip64End(directorySize: size, to: &bytes)
    }
    bytes.append32(0x0605_4b50)
    bytes += [0, 0, 0, 0]
    bytes.append16(min(entries.count, 0xffff))
    bytes.append16(min(entries.count, 0xffff))
    bytes.append32(min(size, Self.limit32))
    bytes.append32(min(end, Self.limit32))
    bytes.append16(comment.count)
    return bytes + comment
  }
}

// MARK: - Records

extension ZipLayout {
  private func appendCommonFields(
    _ entry: Entry, _ checksum: UInt32, version: Int, extraCount: Int, to bytes: inout [UInt8]
  ) {
    bytes.append16(version)
    bytes.append16(1 << 11)  // the name is UTF-8
    bytes.append16(0)  // stored
    bytes.append16(0)  // 00:00
    bytes.append16(0x21)  // 1980-01-01
    bytes.append32(Int(checksum))
    bytes.append32(min(entry.size, Self.limit32))
    bytes.append32(min(entry.size, Self.limit32))
    bytes.append16(entry.name.utf8.count)
    bytes.append16(extraCount)
  }

  private func appendDirectoryRecord(
    _ entry: Entry, _ checksum: UInt32, to bytes: inout [UInt8]
  ) {
    let isFar = entry.headerOffset >= Self.limit32
    var values: [Int] = entry.needsZip64 ? [entry.size, entry.size] : []
    if isFar { values.append(entry.headerOffset) }
    let extra = values.isEmpty ? [] : Self.zip64Extra(values)
    bytes.append32(0x0201_4b50)
    bytes.append16(3 << 8 | 45)  // made on Unix, so that the mode below is read
    appendCommonFields(
      entry, checksum, version: values.isEmpty ? 20 : 45, extraCount: extra.count, to: &bytes)
    bytes += [0, 0, 0, 0, 0, 0]
    bytes.append32(0o100644 << 16)
    bytes.append32(min(entry.headerOffset, Self.limit32))
    bytes += Array(entry.name.utf8) + extra
  }

  private func appendZip64End(directorySize: Int, to bytes: inout [UInt8]) {
    let place = end + bytes.count
    bytes.append32(0x0606_4b50)
    bytes.append64(44)
    bytes.append16(3 << 8 | 45)
    bytes.append16(45)
    bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    bytes.append64(entries.count)
    bytes.append64(entries.count)
    bytes.append64(directorySize)
    bytes.append64(end)
    bytes.append32(0x0706_4b50)
    bytes.append32(0)
    bytes.append64(place)
    bytes.append32(1)
  }

  private static func zip64Extra(_ values: Int...) -> [UInt8] { zip64Extra(values) }

  private static func zip64Extra(_ values: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append16(1)
    bytes.append16(8 * values.count)
    for value in values { bytes.append64(value) }
    return bytes
  }

  /// Returns an extra field that ends at the next multiple of `alignment`.
  ///
  /// Source: the field 0xd935 that Android's zipalign writes: the alignment, followed by zeros.
  private static func alignmentExtra(from offset: Int, to alignment: Int) -> [UInt8] {
    let padding = (alignment - (offset + 6) % alignment) % alignment
    var bytes: [UInt8] = []
    bytes.append16(0xd935)
    bytes.append16(2 + padding)
    bytes.append16(alignment)
    return bytes + Array(repeating: 0, count: padding)
  }
}

extension [UInt8] {
  fileprivate mutating func append16(_ value: Int) {
    append(littleEndian: UInt16(truncatingIfNeeded: value))
  }

  fileprivate mutating func append32(_ value: Int) {
    append(littleEndian: UInt32(truncatingIfNeeded: value))
  }

  fileprivate mutating func append64(_ value: Int) {
    append(littleEndian: UInt64(truncatingIfNeeded: value))
  }

  private mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
