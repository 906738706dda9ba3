import Files
import Foundation
import ModelIR
import TestSupport
import Testing
import Zlib

@Suite struct ZipInflateTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("test.zip") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Python's archive, with some bytes of its record of the deflated entry replaced.
  private func python(at offset: Int = 0, _ replacement: [UInt8] = []) throws -> ZipArchive {
    var bytes = try fixture("python.zip")
    let first = try #require(
      bytes.indices.first { bytes[$0...].starts(with: little(UInt32(0x0201_4b50))) })
    // The second record follows the first, whose name has ten characters.
    let place = first + 46 + 10 + offset
    bytes.replaceSubrange(place..<place + replacement.count, with: replacement)
    guard !replacement.isEmpty else { return try archive(bytes, in: folder) }
    // The entry's own header says the same, two bytes earlier.
    let header = try #require(
      bytes.indices.dropFirst().first { bytes[$0...].starts(with: little(UInt32(0x0403_4b50))) })
    let own = header + offset - 2
    bytes.replaceSubrange(own..<own + replacement.count, with: replacement)
    return try archive(bytes, in: folder)
  }

  private func problem(_ archive: ZipArchive) -> String? {
    let error = thrown { try archive.inflate(archive.entries[1], into: OutputFile.temporary()) }
    #expect(error == nil || error?.kind == .badData)
    return error?.description
  }

  @Test func `an entry is inflated into a file`() throws {
    let archive = try python()
    let output = try OutputFile(creating: folder.file("out"))
    try archive.inflate(archive.entries[1], into: output)
    #expect(try folder.bytes("out") == bottles)
  }

  @Test func `a file without a name leaves nothing behind`() throws {
    let archive = try python()
    let output = try OutputFile.temporary()
    try archive.inflate(archive.entries[1], into: output)
    var bytes = [UInt8](repeating: 0, count: bottles.count)
    try bytes.withUnsafeMutableBytes { try output.read(at: 0, into: $0) }
    #expect(bytes == bottles)
    var state = stat()
    #expect(fstat(output.descriptor, &state) == 0)
    #expect(state.st_nlink == 0)
  }

  @Test func `sizes and checksums that lie are errors`() throws {
    // Stored size, size, checksum.
    #expect(
      try problem(python(at: 20, little(UInt32(50))))
        == "\(path): the compressed data is cut off; the file is truncated")
    #expect(
      try problem(python(at: 24, little(UInt32(7))))
        == "\(path): the compressed data holds more than the expected 7 bytes")
    let mismatch =
      "\(path): the archive's entry 'deflated.txt' does not match its checksum; it is damaged"
    #expect(try problem(python(at: 24, little(UInt32(5000)))) == mismatch)
    #expect(try problem(python(at: 16, little(UInt32(5000)))) == mismatch)
  }

  @Test func `no flipped bit of the data goes unnoticed`() throws {
    let bytes = try fixture("python.zip")
    let entry = try python().entries[1]
    for index in entry.dataOffset..<entry.dataOffset + entry.storedSize - 1 {
      var damaged = bytes
      damaged[index] ^= 1 << (index % 8)
      #expect(try problem(archive(damaged, in: folder)) != nil, "byte \(index)")
    }
  }
}
