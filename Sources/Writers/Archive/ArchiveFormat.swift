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

  func finish(_ digests: [TensorDigest], manifest: [UInt8]) throws(NetconvError) {
    var layout = layout
    let last = layout.append(Manifest.fileName, size: manifest.count)
    var checksum = CRC32()
    manifest.withUnsafeBytes { checksum.update($0) }
    let checksums = digests.map(\.checksum) + [checksum.value]
    for (entry, checksum) in zip(layout.entries, checksums) {
      try file.write(layout.localHeader(of: entry, checksum: checksum), at: entry.headerOffset)
    }
    try file.write(manifest, at: last.dataOffset)
    try file.write(layout.directory(checksums: checksums), at: layout.end)
  }
}
