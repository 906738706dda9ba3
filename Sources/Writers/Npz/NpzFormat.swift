import Documents
import Files
import ModelIR
import Zlib

extension NpzContainer: WritableContainer {
  static func layout(of contents: ContainerContents) throws(NetconvError) -> any ContainerLayout {
    try NpzLayout(contents.entries)
  }

  /// An archive of arrays with netconv's comment.
  static let replaceable = ReplaceableFile("a file") { file throws(NetconvError) in
    guard try ReplaceableFile.holdsArrays(file), file.size >= comment.count else { return false }
    return try file.bytes(at: file.size - comment.count, count: comment.count) == comment
  }
}

/// `model.npz`: a ZIP archive of stored `.npy` files, whose values are aligned to 64 bytes.
struct NpzFormat: ContainerWriter {
  private let file: OutputFile
  private let layout: NpzLayout

  /// Creates an archive according to `layout`.
  init(_ layout: NpzLayout, creating path: String) throws(NetconvError) {
    file = try OutputFile(creating: path)
    self.layout = layout
    file.reserve(layout.zip.end)
  }

  func placement(of index: Int) -> Placement {
    Placement(file: file, offset: layout.places[index].offset)
  }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError) {
    var checksums: [UInt32] = []
    for (index, entry) in layout.zip.entries.enumerated() {
      var checksum = CRC32()
      layout.headers[index].withUnsafeBytes { checksum.update($0) }
      checksum.append(digests[index].checksum, count: layout.places[index].length)
      checksums.append(checksum.value)
      try file.write(
        layout.zip.localHeader(of: entry, checksum: checksum.value) + layout.headers[index],
        at: entry.headerOffset)
    }
    try file.write(
      layout.zip.directory(checksums: checksums, comment: NpzContainer.comment), at: layout.zip.end)
  }
}
