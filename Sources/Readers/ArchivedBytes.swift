import Files
import ModelIR
import Zlib

/// The bytes of an archive's entry.
struct ArchivedBytes: Sendable {
  /// The archive, or a nameless file if the bytes were deflated.
  let file: RandomAccessFile
  /// Where they are in it.
  let range: Range<Int>
  /// What still has to be compared with its checksum; `nil` if they were inflated.
  let unchecked: UncheckedPart?
}

extension ZipArchive {
  /// The bytes of an entry: where they lie, or unpacked.
  ///
  /// - Throws: `badData` if they are compressed in another way, or cannot be as many as the archive says.
  func bytes(of entry: Entry) throws(NetconvError) -> ArchivedBytes {
    guard entry.isDeflated else {
      guard entry.method == 0, entry.size == entry.storedSize else {
        throw .unreadableEntry(entry.name)
      }
      return ArchivedBytes(file: file, range: entry.dataRange, unchecked: unchecked(entry))
    }
    // Deflate makes at most 1,032 bytes of one.
    guard entry.size / 1032 <= entry.storedSize else { throw .unreadableEntry(entry.name) }
    let temporary = try OutputFile.temporary()
    try inflate(entry, into: temporary)
    return ArchivedBytes(
      file: try RandomAccessFile(reading: temporary, as: file.path), range: 0..<entry.size,
      unchecked: nil)
  }

  /// A stored entry, which is read a part at a time; one that is inflated is checked by that.
  func unchecked(_ entry: Entry) -> UncheckedPart {
    UncheckedPart(
      name: entry.name, file: file, range: entry.dataRange, checksum: .crc32(entry.checksum))
  }
}
