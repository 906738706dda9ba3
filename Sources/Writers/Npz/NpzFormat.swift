import Documents
import Files
import ModelIR
import Zlib

/// `model.npz`: a ZIP archive of stored `.npy` files, whose values begin at multiples of 64 bytes.
struct NpzFormat: TensorFormat {
  /// What stands behind the directory, where NumPy reads nothing: the archive is netconv's.
  static let comment = Array("netconv".utf8)

  private let file: OutputFile
  private let layout: NpzLayout?

  init(_ plan: OutputPlan, in folder: String) throws(NetconvError) {
    file = try OutputFile(creating: folder + "/" + Manifest.npzName)
    layout = plan.npz
    file.reserve(layout?.zip.end ?? 0)
  }

  func placement(of index: Int) -> Placement {
    Placement(file: file, offset: layout?.places[index].offset ?? 0)
  }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError) {
    guard let layout else { return }
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
      layout.zip.directory(checksums: checksums, comment: Self.comment), at: layout.zip.end)
  }
}
