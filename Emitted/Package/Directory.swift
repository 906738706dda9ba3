import Foundation

/// The directory of a ZIP of stored entries, up to 4 GB and without a comment.
struct NAMEDirectory {
  /// Where the bytes of each entry lie in the file.
  private(set) var entries: [String: Range<Int>] = [:]

  init(_ file: UnsafeRawBufferPointer) throws {
    let end = file.count - 22
    guard end >= 0, Self.integer(file, end, 4) == 0x0605_4b50 else {
      throw NAMEError("not a netpack, or cut off")
    }
    let count = Self.integer(file, end + 10, 2)
    var record = Self.integer(file, end + 16, 4)
    for _ in 0..<count {
      guard record + 46 <= end, Self.integer(file, record, 4) == 0x0201_4b50 else {
        throw NAMEError("damaged directory")
      }
      let nameLength = Self.integer(file, record + 28, 2)
      let local = Self.integer(file, record + 42, 4)
      guard record + 46 + nameLength <= end, local + 30 <= record,
        Self.integer(file, record + 10, 2) == 0
      else { throw NAMEError("damaged directory") }
      let name = String(decoding: file[record + 46..<record + 46 + nameLength], as: UTF8.self)
      // The header in front of the bytes has a name and padding of its own.
      let start =
        local + 30 + Self.integer(file, local + 26, 2) + Self.integer(file, local + 28, 2)
      let size = Self.integer(file, record + 24, 4)
      guard start + size <= record else { throw NAMEError("damaged entry \(name)") }
      entries[name] = start..<start + size
      record +=
        46 + nameLength + Self.integer(file, record + 30, 2)
        + Self.integer(file, record + 32, 2)
    }
  }

  /// Little-endian.
  private static func integer(_ file: UnsafeRawBufferPointer, _ offset: Int, _ bytes: Int) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
  }
}
