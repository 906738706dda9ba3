import Documents
import Files
import ModelIR
import Zlib

extension ArchiveContainer: WritableContainer {
  static func layout(of contents: ContainerContents) -> any ContainerLayout {
    ArchiveLayout(contents.entries, alignment: contents.alignment)
  }

  /// An archive with one of netconv's manifests.
  static let replaceable = ReplaceableFile("an archive") { file throws(NetconvError) in
    let archive = try ZipArchive(file)
    guard let entry = archive.entry(named: Manifest.fileName) else { return false }
    _ = try Manifest.decode(archive.contents(of: entry, limit: JSONDocument.sizeLimit))
    return true
  }
}

private struct ArchiveLayout: ContainerLayout {
  private let zip: ZipLayout
  let places: [TensorRecord.Place]

  init(_ entries: [OutputPlan.Entry], alignment: Int) {
    var zip = ZipLayout()
    places = entries.map { entry in
      let member = zip.append(
        entry.archiveEntry, size: entry.byteCount, alignment: alignment)
      return TensorRecord.Place(
        file: ArchiveContainer.file, tensor: entry.archiveEntry, offset: member.dataOffset,
        length: entry.byteCount)
    }
    self.zip = zip
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try ArchiveFormat(zip, creating: "\(folder)/\(ArchiveContainer.file)")
  }
}

/// `model.netpack`: a ZIP archive of stored, aligned tensors, with the manifest as its last entry.
///
/// A consumer can map the file and use every tensor in place; any ZIP tool can open it.
struct ArchiveFormat: ContainerWriter {
  private let file: OutputFile
  private let layout: ZipLayout
  /// The alignment of other files' values, independent of the tensors' alignment; sufficient for all vector
  /// instructions.
  private static let alignment = 256

  /// Creates an archive according to `layout`, without its manifest.
  fileprivate init(_ layout: ZipLayout, creating path: String) throws(NetconvError) {
    file = try OutputFile(creating: path)
    self.layout = layout
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
