/// The fields of a ZIP archive's headers, by the offsets of their bytes: everything but the data of its entries.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
struct ZipHeaderBits {
  /// A byte of a header, and its field: `local time`.
  struct Byte {
    let offset: Int
    let field: String
  }

  /// In the order of the file.
  private(set) var bytes: [Byte] = []

  private static let local = [
    ("signature", 4), ("version", 2), ("flags", 2), ("method", 2), ("time", 2), ("date", 2),
    ("CRC-32", 4), ("stored size", 4), ("size", 4), ("name length", 2), ("extra length", 2),
  ]
  private static let central = [
    ("signature", 4), ("made by", 2), ("version", 2), ("flags", 2), ("method", 2), ("time", 2),
    ("date", 2), ("CRC-32", 4), ("stored size", 4), ("size", 4), ("name length", 2),
    ("extra length", 2), ("comment length", 2), ("disk", 2), ("internal attributes", 2),
    ("external attributes", 4), ("offset", 4),
  ]
  private static let end = [
    ("signature", 4), ("disk", 2), ("directory's disk", 2), ("entries here", 2), ("entries", 2),
    ("directory's size", 4), ("directory's offset", 4), ("comment length", 2),
  ]

  /// The headers of an intact archive without a comment and without ZIP64.
  init(_ archive: [UInt8]) {
    func number(_ offset: Int, _ count: Int) -> Int {
      archive[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let endStart = archive.count - 22
    var position = number(endStart + 16, 4)
    for _ in 0..<number(endStart + 10, 2) {
      let start = number(position + 42, 4)
      add("local", Self.local, at: start)
      add("local name", number(start + 26, 2), at: start + 30)
      add("local extra", number(start + 28, 2), at: start + 30 + number(start + 26, 2))
      add("central", Self.central, at: position)
      position += 46
      for (field, count) in [
        ("name", number(position - 18, 2)), ("extra", number(position - 16, 2)),
        ("comment", number(position - 14, 2)),
      ] {
        add("central " + field, count, at: position)
        position += count
      }
    }
    add("end", Self.end, at: endStart)
    bytes.sort { $0.offset < $1.offset }
  }

  private mutating func add(_ header: String, _ fields: [(String, Int)], at offset: Int) {
    var offset = offset
    for (field, count) in fields {
      add("\(header) \(field)", count, at: offset)
      offset += count
    }
  }

  private mutating func add(_ field: String, _ count: Int, at offset: Int) {
    for byte in 0..<count { bytes.append(Byte(offset: offset + byte, field: field)) }
  }
}
