import Files
import ModelIR
import Zlib

/// The bytes of an archive's entry.
struct ArchivedBytes: Sendable {
  /// The archive, or an unnamed temporary file if the entry was deflated.
  let file: RandomAccessFile
  /// The byte range of the entry in `file`.
  let range: Range<Int>
  /// The bytes whose checksum has yet to be verified; `nil` if they were inflated.
  let unchecked: UncheckedPart?
}

extension ZipArchive {
  /// Returns the bytes of an entry: in the archive if it is stored, else inflated.
  ///
  /// - Throws: `badData` if the compression method is unknown, or the sizes are impossible for it.
  func bytes(of entry: Entry) throws(NetconvError) -> ArchivedBytes {
    guard entry.isDeflated else {
      guard entry.method == 0, entry.size == entry.storedSize else {
        throw .unreadableEntry(entry.name)
      }
      return ArchivedBytes(file: file, range: entry.dataRange, unchecked: unchecked(entry))
    }
    // Deflate compresses by a factor of at most 1,032.
    guard entry.size / 1032 <= entry.storedSize else { throw .unreadableEntry(entry.name) }
    let temporary = try OutputFile.temporary()
    try inflate(entry, into: temporary)
    return ArchivedBytes(
      file: try RandomAccessFile(reading: temporary, as: file.path), range: 0..<entry.size,
      unchecked: nil)
  }

  /// Returns the part of a stored entry, whose checksum is verified later; inflating verifies deflated entries at
  /// once.
  func unchecked(_ entry: Entry) -> UncheckedPart {
    UncheckedPart(
      name: entry.name, file: file, range: entry.dataRange, checksum: .crc32(entry.checksum))
  }
}

extension NetconvError {
  fileprivate static func unreadableEntry(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the entry \(quoted(name)) is neither stored nor deflated as declared; write it with numpy.savez"
    )
  }
}
