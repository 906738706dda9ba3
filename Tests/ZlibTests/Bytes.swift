import Files
import Foundation
import TestSupport
import Zlib

/// The content of the text fixtures under `Tests/Fixtures/zlib`.
let bottles = Array(
  (1...20).reversed().map { "\($0) bottles of beer on the wall, \($0) bottles of beer\n" }
    .joined().utf8)

/// The bytes of a file under `Tests/Fixtures/zlib`.
func fixture(_ name: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(filePath: Fixtures.path("zlib/\(name)"))))
}

/// The CRC-32 of some bytes.
func checksum(_ bytes: [UInt8]) -> UInt32 {
  var checksum = CRC32()
  bytes.withUnsafeBytes { checksum.update($0) }
  return checksum.value
}

/// Writes an archive of stored entries as a writer of the library does: data first, headers later.
@discardableResult
func writeArchive(
  _ entries: [(name: String, data: [UInt8])], alignment: Int = 1, to path: String
) throws -> ZipLayout {
  var layout = ZipLayout()
  for (name, data) in entries { layout.append(name, size: data.count, alignment: alignment) }
  let file = try OutputFile(creating: path)
  for (entry, (_, data)) in zip(layout.entries, entries).reversed() {
    try file.write(data, at: entry.dataOffset)
  }
  for (entry, (_, data)) in zip(layout.entries, entries) {
    try file.write(layout.localHeader(of: entry, checksum: checksum(data)), at: entry.headerOffset)
  }
  try file.write(layout.directory(checksums: entries.map { checksum($0.data) }), at: layout.end)
  return layout
}

/// The archive in a file of `folder` that holds `bytes`.
func archive(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> ZipArchive {
  try ZipArchive(RandomAccessFile(path: folder.write(bytes, to: "test.zip")))
}

/// Little-endian bytes of numbers, each of its own width.
func little(_ numbers: any FixedWidthInteger...) -> [UInt8] {
  func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
  return numbers.flatMap { bytes($0) }
}
