import Documents
import Files
import ModelIR
import Zlib

/// A packed archive that netconv wrote.
enum ConvertedArchiveReader: ModelReader {
  static let format = "netconv"
  static let summary = "a .netpack archive"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    ZipArchive.isZip(probe.prefix)
  }

  static func read(_ path: String, _ options: ReaderOptions) throws(NetconvError) -> ReadSource {
    let archive = try ZipArchive(RandomAccessFile(path: path))
    let manifest = try Manifest.decode(Manifest.bytes(in: archive))
    let copies = try ConvertedCopies(manifest, "archive").entries(of: archive)
    return ReadSource(
      format: format, path: path, framework: manifest.source.framework, files: [archive.file],
      network: try ConvertedNetwork.network(manifest, copies),
      converted: ConvertedSource(
        manifest: manifest, tensors: copies, others: [], formats: ["archive"], missing: [],
        companions: .archive(archive)),
      notes: SourceNote.recorded(manifest.source.notes))
  }
}
