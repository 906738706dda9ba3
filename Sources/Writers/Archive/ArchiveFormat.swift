import Documents
import Files
import ModelIR
import Zlib

/// `model.netpack`: a ZIP archive of stored, aligned tensors, with the manifest as its last entry.
///
/// A consumer maps the file and has every tensor in place; any ZIP tool can open it.
struct ArchiveFormat: TensorFormat {
  private let file: OutputFile
  private let layout: ZipLayout
  /// Where values beside the tensors begin, whatever these do: a multiple that every vector is content with.
  private static let alignment = 256

  /// The archive without its manifest.
  static func layout(of entries: [OutputPlan.Entry], alignment: Int) -> ZipLayout {
    var layout = ZipLayout()
    for entry in entries {
      layout.append(entry.file, size: entry.byteCount, alignment: alignment)
    }
    return layout
  }

  static func places(
    of entries: [OutputPlan.Entry], in layout: ZipLayout
  ) -> [TensorRecord.Place] {
    zip(entries, layout.entries).map { entry, member in
      TensorRecord.Place(
        file: Manifest.archiveName, tensor: entry.file, offset: member.dataOffset,
        length: entry.byteCount)
    }
  }

  init(_ plan: OutputPlan, in folder: String) throws(NetconvError) {
    file = try OutputFile(creating: folder + "/" + Manifest.archiveName)
    layout = plan.archive
    file.reserve(layout.end)
  }

  func placement(of index: Int) -> Placement {
    Placement(file: file, offset: layout.entries[index].dataOffset)
  }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError) {
    var layout = layout
    var checksums = digests.map(\.checksum)
    let last = CompanionFile(name: Manifest.fileName, bytes: manifest)
    for companion in companions + [last] {
      let entry = layout.append(
        companion.name, size: companion.bytes.count,
        alignment: companion.name == last.name ? 1 : Self.alignment)
      var checksum = CRC32()
      companion.bytes.withUnsafeBytes { checksum.update($0) }
      checksums.append(checksum.value)
      try file.write(companion.bytes, at: entry.dataOffset)
    }
    for (entry, checksum) in zip(layout.entries, checksums) {
      try file.write(layout.localHeader(of: entry, checksum: checksum), at: entry.headerOffset)
    }
    try file.write(layout.directory(checksums: checksums), at: layout.end)
  }
}
