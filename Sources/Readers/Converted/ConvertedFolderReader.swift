import Documents
import Files
import ModelIR
import Zlib

/// A folder that netconv wrote.
enum ConvertedFolderReader: ModelReader {
  static let format = "netconv"
  static let summary = "a folder that netconv wrote, with manifest.json"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.names?.contains(Manifest.fileName) ?? false
  }

  static func read(_ path: String, _ options: ReaderOptions) throws(NetconvError) -> ReadSource {
    let manifestFile = try ContainedPath(Manifest.fileName, in: path).open()
    do {
      let bytes = try manifestFile.contents(limit: JSONDocument.sizeLimit)
      let manifest = try Manifest.decode(bytes)
      let names = try Directory.names(in: path)
      var found: [[ConvertedSource.Copy]] = []
      // What was written and is gone, such as blobs that were moved to a device, is not needed as long as one is left.
      let formats = formats(of: manifest, there: names)
      for format in formats {
        found.append(try copies(manifest, bytes, format, in: path))
      }
      let tensors = found.first ?? []
      return ReadSource(
        format: format, path: path, framework: manifest.source.framework,
        files: [manifestFile] + unique(tensors.map(\.file)),
        network: try ConvertedNetwork.network(manifest, tensors),
        converted: ConvertedSource(
          manifest: manifest, tensors: tensors, others: Array(found.dropFirst().joined()),
          formats: formats, missing: missing(of: manifest, there: names),
          companions: try companions(manifest, in: path)),
        notes: SourceNote.recorded(manifest.source.notes))
    } catch {
      throw error.inFile(manifestFile.path)
    }
  }

  /// Only an archive alone holds the other files too; else they lie in the folder.
  private static func companions(
    _ manifest: Manifest, in folder: String
  ) throws(NetconvError) -> ConvertedSource.Companions {
    guard manifest.formats == ["archive"] else { return .folder(folder) }
    return .archive(try ZipArchive(ContainedPath(Manifest.archiveName, in: folder).open()))
  }

  /// The formats that were written and are there, the one to be read first; the first that was written if none is.
  private static func formats(of manifest: Manifest, there names: [String]) -> [String] {
    let written = Manifest.formatNames.filter(manifest.formats.contains)
    let there = written.filter { names.contains(name(of: $0)) }
    return there.isEmpty ? Array(written.prefix(1)) : there
  }

  /// The file of a format, or the folder of its files.
  private static func name(of format: String) -> String {
    switch format {
    case "archive": Manifest.archiveName
    case "safetensors": Manifest.safetensorsName
    case "npz": Manifest.npzName
    default: "weights"
    }
  }

  /// What the formats of `manifest` consist of that is not there.
  private static func missing(of manifest: Manifest, there names: [String]) -> [String] {
    // The folder of the weights is empty if the model has none.
    var wanted = Manifest.formatNames.filter(manifest.formats.contains).map(name(of:))
    if manifest.formats.contains("c") {
      wanted += [Manifest.sourceNames.header, Manifest.sourceNames.source]
    }
    return wanted.filter { !names.contains($0) }
  }

  private static func copies(
    _ manifest: Manifest, _ bytes: [UInt8], _ format: String, in folder: String
  ) throws(NetconvError) -> [ConvertedSource.Copy] {
    let copies = ConvertedCopies(manifest, format)
    guard format != "bin" else { return try copies.blobs(in: folder) }
    let file = try ContainedPath(name(of: format), in: folder).open()
    switch format {
    case "safetensors": return try copies.tensors(of: SafetensorsFile(file))
    case "npz": return try copies.arrays(of: NpzFile(file))
    default:
      let archive = try ZipArchive(file)
      guard try Manifest.bytes(in: archive) == bytes else { throw .differentManifests }
      return try copies.entries(of: archive)
    }
  }

  private static func unique(_ files: [RandomAccessFile]) -> [RandomAccessFile] {
    var seen: Set<ObjectIdentifier> = []
    return files.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
