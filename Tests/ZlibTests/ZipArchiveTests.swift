import Files
import ModelIR
import TestSupport
import Testing
import Zlib

@Suite struct ZipArchiveTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("test.zip") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The bytes of an archive with two entries.
  private func small() throws -> [UInt8] {
    try writeArchive(
      [("one", Array("first".utf8)), ("two", Array("second entry".utf8))], alignment: 64,
      to: folder.file("small.zip"))
    return try folder.bytes("small.zip")
  }

  /// The error for an archive, or for the first entry that cannot be read.
  private func problem(_ bytes: [UInt8]) throws -> NetconvError? {
    let path = try folder.write(bytes, to: "test.zip")
    return thrown {
      let archive = try ZipArchive(RandomAccessFile(path: path))
      for entry in archive.entries { _ = try archive.contents(of: entry, limit: 1 << 16) }
    }
  }

  @Test func `entries survive the archive`() throws {
    let archive = try archive(small(), in: folder)
    #expect(archive.entries.map(\.name) == ["one", "two"])
    #expect(archive.entries.map(\.method) == [0, 0])
    #expect(archive.entries.map(\.dataOffset) == [64, 128])
    let contents = try archive.entries.map { try archive.contents(of: $0, limit: 12) }
    #expect(contents == [Array("first".utf8), Array("second entry".utf8)])
    #expect(archive.entry(named: "two")?.size == 12)
    #expect(archive.entry(named: "TWO") == nil)
  }

  @Test func `reads what Python's zipfile writes, with a comment`() throws {
    let archive = try archive(fixture("python.zip"), in: folder)
    #expect(
      archive.entries.map(\.name) == ["stored.txt", "deflated.txt", "größe/empty", "packed.txt"])
    #expect(archive.entries.map(\.method) == [0, 8, 0, 12])
    #expect(try archive.contents(of: archive.entries[0], limit: 100) == Array("hello".utf8))
    #expect(try archive.contents(of: archive.entries[1], limit: 2000) == bottles)
    #expect(try archive.contents(of: archive.entries[2], limit: 0) == [])
    #expect(
      thrown { try archive.contents(of: archive.entries[3], limit: 100) }?.description
        == "\(path): the archive's entry 'packed.txt' uses compression method 12, expected stored "
        + "or deflated")
  }

  @Test func `contents stay within the limit`() throws {
    let archive = try archive(fixture("python.zip"), in: folder)
    #expect(
      thrown { try archive.contents(of: archive.entries[1], limit: bottles.count - 1) }?.description
        == "\(path): the compressed data holds more than the expected \(bottles.count - 1) bytes")
  }

  @Test func `an archive cut off anywhere is an error`() throws {
    let bytes = try small()
    for count in 0..<bytes.count {
      let error = try problem(Array(bytes.prefix(count)))
      #expect(
        error?.description
          == "\(path): is not a valid ZIP archive: there is no end record; the file may be "
          + "truncated", "\(count) bytes")
    }
  }

  @Test func `bytes missing at the start are an error`() throws {
    let bytes = try small()
    for count in 1...bytes.count {
      #expect(try problem(Array(bytes.dropFirst(count)))?.kind == .badData, "\(count) bytes")
    }
  }

  @Test func `no damaged byte goes unnoticed where it matters`() throws {
    let bytes = try small()
    let expected = [Array("first".utf8), Array("second entry".utf8)]
    for index in bytes.indices {
      for value in [bytes[index] ^ 1, bytes[index] ^ 0x80, 0, 0xff] {
        var damaged = bytes
        damaged[index] = value
        do {
          let archive = try archive(damaged, in: folder)
          let contents = try archive.entries.map { try archive.contents(of: $0, limit: 1 << 16) }
          #expect(contents == expected, "byte \(index) = \(value)")
        } catch {
          #expect((error as? NetconvError)?.kind == .badData, "byte \(index) = \(value): \(error)")
          #expect((error as? NetconvError)?.file == path)
        }
      }
    }
  }

  @Test func `a wrong checksum is an error`() throws {
    var bytes = try small()
    bytes[64] ^= 0x20
    #expect(
      try problem(bytes)?.description
        == "\(path): the archive's entry 'one' does not match its checksum; it is damaged")
  }

  @Test func `two entries of one name are an error`() throws {
    try writeArchive([("a", [1]), ("b", [2]), ("a", [3])], to: path)
    let file = try RandomAccessFile(path: path)
    #expect(
      thrown { try ZipArchive(file) }?.description
        == "\(path): is not a valid ZIP archive: the entry 'a' occurs twice")
  }

  @Test func `names that are equal but for their normal form are two`() throws {
    let names = ["\u{e9}", "e\u{301}"]
    try writeArchive(zip(names, [[1], [2]]).map { ($0, $1) }, to: path)
    let archive = try ZipArchive(RandomAccessFile(path: path))
    #expect(archive.entries.map { Array($0.name.plain.utf8) } == names.map { Array($0.utf8) })
    for (name, value) in zip(names, [UInt8(1), 2]) {
      let entry = try #require(archive.entries.first { $0.name == name.exact })
      #expect(try archive.contents(of: entry, limit: 9) == [value])
    }
  }

  @Test func `sizes and offsets that lie are errors`() throws {
    let bytes = try small()
    // The directory: two records of 49 bytes, then the end record.
    let directory = bytes.count - 22 - 2 * 49
    func changed(_ offset: Int, _ replacement: [UInt8]) -> [UInt8] {
      var bytes = bytes
      bytes.replaceSubrange(offset..<offset + replacement.count, with: replacement)
      return bytes
    }
    let prefix = "\(path): is not a valid ZIP archive: "
    func expectProblem(_ bytes: [UInt8], _ reason: String) throws {
      #expect(try problem(bytes)?.description == reason)
    }
    // Size and stored size of the first entry.
    try expectProblem(
      changed(directory + 20, little(UInt32(1000))),
      prefix + "the entry 'one' does not fit into the file")
    func both(_ fields: (local: Int, central: Int, value: [UInt8])...) -> [UInt8] {
      var bytes = bytes
      for field in fields {
        for place in [field.local, directory + field.central] {
          bytes.replaceSubrange(place..<place + field.value.count, with: field.value)
        }
      }
      return bytes
    }
    try expectProblem(
      both((22, 24, little(UInt32(6)))), prefix + "the entry 'one' is stored, but has two sizes")
    try expectProblem(
      both((18, 20, little(UInt32(6))), (22, 24, little(UInt32(6)))),
      "\(path): the archive's entry 'one' does not match its checksum; it is damaged")
    try expectProblem(
      both((8, 10, little(UInt16(8))), (22, 24, little(UInt32(0xffff_ffff)))),
      "\(path): the compressed data holds more than the expected 65536 bytes")
    for size in [6, 0xffff_ffff] as [UInt32] {
      try expectProblem(
        changed(directory + 24, little(size)),
        prefix + "the size of the entry 'one' differs between its header and the directory")
    }
    // Its header: outside, and at a place that is none.
    try expectProblem(
      changed(directory + 42, little(UInt32(0xffff_fffe))),
      prefix + "the entry 'one' does not fit into the file")
    try expectProblem(
      changed(directory + 42, little(UInt32(1))), prefix + "the entry 'one' has no header")
    // Its name.
    try expectProblem(
      changed(directory + 28, little(UInt16(60_000))), prefix + "its directory is damaged")
    // The number of entries, the size and the place of the directory.
    let end = bytes.count - 22
    try expectProblem(
      changed(end + 10, little(UInt16(3))),
      prefix + "it is one of several parts, or its end record is damaged; join the parts first")
    try expectProblem(
      changed(end + 8, little(UInt16(3), UInt16(3))),
      prefix + "its directory does not fit into the file")
    try expectProblem(
      changed(end + 12, little(UInt32(99))), prefix + "its directory does not fit into the file")
    try expectProblem(
      changed(end + 16, little(UInt32(directory + 1))),
      prefix + "its directory does not fit into the file")
    try expectProblem(
      changed(end + 16, little(UInt32(directory - 1))), prefix + "its directory is damaged")
  }

  @Test func `the local header may not place data outside of the file`() throws {
    var bytes = try small()
    bytes.replaceSubrange(26..<28, with: little(UInt16(60_000)))
    #expect(
      try problem(bytes)?.description
        == "\(path): is not a valid ZIP archive: the entry 'one' does not fit into the file")
  }

  @Test(
    arguments: [
      (.max, 98, nil), (1 << 63, 98, nil), (2, 1 << 63, nil), (2, .max, nil), (3, 98, nil),
      (2, 98, 0), (2, 98, 1 << 62), (2, 98, 1 << 63), (2, 98, .max),
    ] as [(UInt64, UInt64, UInt64?)])
  func `a ZIP64 end record may lie`(count: UInt64, size: UInt64, place: UInt64?) throws {
    let bytes = try small()
    let body = bytes.dropLast(22)
    let zip64 =
      little(
        UInt32(0x0606_4b50), UInt64(44), UInt16(45), UInt16(45), UInt32(0), UInt32(0), count, count,
        size, UInt64(body.count - 98))
      + little(UInt32(0x0706_4b50), UInt32(0), place ?? UInt64(body.count), UInt32(1))
    let error = try problem(body + zip64 + bytes.suffix(22))
    #expect(error?.kind == .badData)
    #expect(error?.message.hasPrefix("is not a valid ZIP archive: its ") == true)
  }

  @Test func `an intact ZIP64 end record counts`() throws {
    let bytes = try small()
    let body = bytes.dropLast(22)
    let zip64 =
      little(
        UInt32(0x0606_4b50), UInt64(44), UInt16(45), UInt16(45), UInt32(0), UInt32(0), UInt64(2),
        UInt64(2), UInt64(98), UInt64(body.count - 98))
      + little(UInt32(0x0706_4b50), UInt32(0), UInt64(body.count), UInt32(1))
    #expect(try problem(body + zip64 + bytes.suffix(22)) == nil)
  }

  @Test func `a deflated entry cannot inflate past its own size`() throws {
    var bytes = try fixture("python.zip")
    let record = try #require(
      bytes.indices.first { bytes[$0...].starts(with: little(UInt32(0x0201_4b50))) })
    // The second record follows the first, whose name has ten characters.
    let size = record + 46 + 10 + 24
    #expect(Array(bytes[size..<size + 4]) == little(UInt32(bottles.count)))
    bytes.replaceSubrange(size..<size + 4, with: little(UInt32(7)))
    // The entry's own header says the same.
    let header = try #require(
      bytes.indices.dropFirst().first { bytes[$0...].starts(with: little(UInt32(0x0403_4b50))) })
    bytes.replaceSubrange(header + 22..<header + 26, with: little(UInt32(7)))
    let archive = try archive(bytes, in: folder)
    #expect(
      thrown { try archive.contents(of: archive.entries[1], limit: 1 << 30) }?.description
        == "\(path): the compressed data holds more than the expected 7 bytes")
  }

  @Test func `an archive is known by its first bytes`() throws {
    #expect(ZipArchive.isZip(try small()))
    #expect(ZipArchive.isZip([0x50, 0x4b, 5, 6]))
    #expect(!ZipArchive.isZip([0x50, 0x4b, 1, 2]))
    #expect(!ZipArchive.isZip([0x50, 0x4b]))
  }
}
