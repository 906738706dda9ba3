import Files
import ModelIR
import Zlib

/// ZIP archives.
enum ZipTarget: FuzzTarget {
  static let name = "zip"

  private static let limit = 1 << 20

  static func parse(_ bytes: [UInt8]) throws {
    let archive = try ZipArchive(openFile(bytes))
    var contents: [(name: String, bytes: [UInt8])] = []
    for entry in archive.entries.prefix(64) {
      try hold(archive.entry(named: entry.name) != nil, "an entry is not found by its name")
      contents.append((entry.name, try archive.contents(of: entry, limit: limit)))
      try compareInflated(entry, in: archive, contents[contents.count - 1].bytes)
    }
    try checkRewritten(contents)
  }

  private static func compareInflated(
    _ entry: ZipArchive.Entry, in archive: ZipArchive, _ contents: [UInt8]
  ) throws {
    guard entry.isDeflated else { return }
    let output = try OutputFile.temporary()
    try mustWork("inflating into a file") { () throws(NetconvError) in
      try archive.inflate(entry, into: output)
    }
    let file = try RandomAccessFile(reading: output, as: "inflated")
    try hold(
      try file.bytes(at: 0, count: file.size) == contents, "a file gets something else")
  }

  /// Writes the contents as an archive, and reads it again.
  private static func checkRewritten(_ contents: [(name: String, bytes: [UInt8])]) throws {
    // Bytes that are invalid UTF-8 become a longer text.
    guard contents.allSatisfy({ $0.name.utf8.count < 1 << 16 }) else { return }
    var layout = ZipLayout()
    var checksums: [UInt32] = []
    let file = try OutputFile.temporary()
    for (name, bytes) in contents {
      var checksum = CRC32()
      bytes.withUnsafeBytes { checksum.update($0) }
      checksums.append(checksum.value)
      let entry = layout.append(name, size: bytes.count, alignment: 64)
      try file.write(
        layout.localHeader(of: entry, checksum: checksum.value) + bytes, at: entry.headerOffset)
    }
    try file.write(layout.directory(checksums: checksums), at: layout.end)
    let again = try mustWork("reading what was written") { () throws(NetconvError) in
      let archive = try ZipArchive(RandomAccessFile(reading: file, as: "written"))
      var found: [(name: String, bytes: [UInt8])] = []
      for entry in archive.entries {
        found.append((entry.name, try archive.contents(of: entry, limit: limit)))
      }
      return found
    }
    try hold(
      again.elementsEqual(contents) { $0.name == $1.name && $0.bytes == $1.bytes },
      "what is written is read as another archive")
  }
}
