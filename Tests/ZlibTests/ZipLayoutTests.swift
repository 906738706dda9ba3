import Files
import Foundation
import ModelIR
import TestSupport
import Testing
import Zlib

/// The system's own judge of archives.
enum Unzip {
  static let path = ["/usr/bin/unzip", "/usr/local/bin/unzip", "/opt/homebrew/bin/unzip"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The exit code of `unzip -tqq` for an archive, or for some of its entries.
  static func test(_ archive: String, _ entries: String...) throws -> ExitCode {
    try RunningProgram.run([try #require(path), "-tqq", archive] + entries).status
  }
}

private let needsUnzip: ConditionTrait = .enabled(
  if: Unzip.path != nil, "unzip is not installed; install it to check archives against it")

@Suite struct ZipLayoutTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `an archive has these bytes and no others`() throws {
    try writeArchive([("a", Array("hi".utf8))], to: folder.file("a.zip"))
    let crc: UInt32 = 0xd893_2aac
    let common = little(
      UInt16(20), UInt16(0x0800), UInt16(0), UInt16(0), UInt16(0x21), crc, UInt32(2), UInt32(2),
      UInt16(1), UInt16(0))
    let directory =
      little(UInt32(0x0201_4b50), UInt16(0x032d)) + common
      + little(UInt16(0), UInt16(0), UInt16(0), UInt32(0x81a4_0000), UInt32(0)) + Array("a".utf8)
    #expect(
      try folder.bytes("a.zip")
        == little(UInt32(0x0403_4b50)) + common + Array("ahi".utf8) + directory
        + little(
          UInt32(0x0605_4b50), UInt16(0), UInt16(0), UInt16(1), UInt16(1), UInt32(47), UInt32(33),
          UInt16(0)))
  }

  @Test func `an archive of nothing is an end record`() throws {
    try writeArchive([], to: folder.file("empty.zip"))
    #expect(
      try folder.bytes("empty.zip")
        == little(UInt32(0x0605_4b50)) + Array(repeating: UInt8(0), count: 18))
    let archive = try ZipArchive(RandomAccessFile(path: folder.file("empty.zip")))
    #expect(archive.entries.isEmpty)
  }

  @Test(needsUnzip, arguments: (0...14).map { 1 << $0 } + [3, 100])
  func `data begins at multiples of the alignment`(alignment: Int) throws {
    let entries = (0..<6).map { number in
      (
        name: "weights/" + String(repeating: "n", count: number * 7 + 1),
        data: Array(bottles.prefix(number * number * 30))
      )
    }
    let path = folder.file("\(alignment).zip")
    let layout = try writeArchive(entries, alignment: alignment, to: path)
    let bytes = try folder.bytes("\(alignment).zip")
    for (entry, (name, data)) in zip(layout.entries, entries) {
      #expect(entry.name == name && entry.size == data.count)
      #expect(entry.dataOffset % alignment == 0)
      #expect(Array(bytes[entry.dataOffset..<entry.dataOffset + entry.size]) == data)
      // The header reaches to the data; what is between are whole extra fields.
      var extra = bytes[(entry.headerOffset + 30 + name.utf8.count)..<entry.dataOffset]
      while !extra.isEmpty {
        try #require(extra.count >= 4)
        let head = Array(extra.prefix(4))
        #expect(head[0] == 0x35 && head[1] == 0xd9)
        extra = extra.dropFirst(4)
        let size = Int(head[2]) | Int(head[3]) << 8
        try #require(extra.count >= size)
        extra = extra.dropFirst(size)
      }
    }
    #expect(try Unzip.test(path) == 0)
    let archive = try ZipArchive(RandomAccessFile(path: path))
    #expect(archive.entries.map(\.dataOffset) == layout.entries.map(\.dataOffset))
  }

  @Test func `entries without alignment follow each other`() {
    var layout = ZipLayout()
    layout.append("a", size: 10)
    let second = layout.append("größe", size: 5)
    #expect(second.headerOffset == 41)
    #expect(second.dataOffset == 41 + 30 + 7)
    #expect(layout.end == second.dataOffset + 5)
  }

  @Test(needsUnzip) func `more entries than 16 bits can count need ZIP64`() throws {
    for count in [65_534, 65_535, 65_600] {
      let entries = (0..<count).map { (name: "e\($0)", data: [UInt8($0 & 0xff)]) }
      let path = folder.file("\(count).zip")
      let layout = try writeArchive(entries, to: path)
      let bytes = try folder.bytes("\(count).zip")
      #expect(bytes.suffix(42).starts(with: little(UInt32(0x0706_4b50))) == (count > 65_534))
      let archive = try ZipArchive(RandomAccessFile(path: path))
      #expect(archive.entries.count == count)
      #expect(archive.entries.last?.name == "e\(count - 1)")
      #expect(archive.entries.last?.dataOffset == layout.entries.last?.dataOffset)
      if count == 65_600 { #expect(try Unzip.test(path, "e0", "e65535", "e65599") == 0) }
    }
  }

  @Test(needsUnzip) func `sizes and offsets past 4 GiB need ZIP64`() throws {
    var layout = ZipLayout()
    let contents = ["first": bottles, "last": Array("hello".utf8)]
    layout.append("first", size: bottles.count, alignment: 256)
    let big = layout.append("big", size: 5 << 30, alignment: 256)
    let last = layout.append("last", size: 5, alignment: 256)
    #expect(big.dataOffset % 256 == 0)
    #expect(last.headerOffset == big.dataOffset + 5 << 30)

    let path = folder.file("sparse.zip")
    let file = try OutputFile(creating: path)
    var checksums: [UInt32] = []
    for entry in layout.entries {
      // The big one is a hole in the file; nobody computes its checksum.
      let data = contents[entry.name] ?? []
      checksums.append(checksum(data))
      try file.write(
        layout.localHeader(of: entry, checksum: checksums[checksums.count - 1]),
        at: entry.headerOffset)
      try file.write(data, at: entry.dataOffset)
    }
    try file.write(layout.directory(checksums: checksums), at: layout.end)

    let archive = try ZipArchive(RandomAccessFile(path: path))
    #expect(archive.entries.map(\.size) == [bottles.count, 5 << 30, 5])
    #expect(archive.entries.map(\.dataOffset) == layout.entries.map(\.dataOffset))
    for (name, data) in contents {
      let entry = try #require(archive.entry(named: name))
      #expect(try archive.contents(of: entry, limit: 1 << 20) == data)
    }
    #expect(try Unzip.test(path, "first", "last") == 0)
    let entry = try #require(archive.entry(named: "big"))
    #expect(
      thrown { try archive.contents(of: entry, limit: 1 << 20) }?.description
        == "\(path): the compressed data holds more than the expected 1048576 bytes")

    // Local header of the large entry: both sizes in the extra field, and the version that knows it.
    let reader = try RandomAccessFile(path: path)
    let header = try reader.bytes(at: big.headerOffset, count: 30 + 3 + 20)
    #expect(header[4] == 45)
    #expect(Array(header[18..<26]) == Array(repeating: 0xff, count: 8))
    #expect(
      Array(header[33...]) == little(UInt16(1), UInt16(16), UInt64(5 << 30), UInt64(5 << 30)))
    // Directory record of the far entry: its offset in the extra field.
    let directory = try reader.bytes(at: layout.end, count: reader.size - layout.end)
    let record = directory.count - 22 - 20 - 56 - (46 + 4 + 12)
    #expect(directory[record + 6] == 45)
    #expect(
      Array(directory[(record + 50)..<record + 62])
        == little(UInt16(1), UInt16(8), UInt64(last.headerOffset)))
  }
}
