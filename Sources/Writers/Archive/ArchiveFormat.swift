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
