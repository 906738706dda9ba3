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
      let archive =
        manifest.formats.contains("archive")
        ? try ZipArchive(ContainedPath(Manifest.archiveName, in: path).open()) : nil
      let archived = try archive.map { archive throws(NetconvError) in
        guard try ConvertedNetwork.manifest(in: archive) == bytes else { throw .differentManifests }
        return try ConvertedNetwork.copies(manifest, in: archive)
      }
      let blobs =
        manifest.formats.contains("bin") ? try copies(manifest, in: path) : archived ?? []
      return ReadSource(
        format: format, path: path, framework: manifest.source.framework,
        files: [manifestFile] + unique(blobs.map(\.file)),
        network: try ConvertedNetwork.network(manifest, blobs),
        converted: ConvertedSource(
          manifest: manifest, tensors: blobs,
          archived: manifest.formats.contains("bin") ? archived ?? [] : [],
          companions: companions(manifest, archive, in: path)))
    } catch {
      throw error.inFile(manifestFile.path)
    }
  }

  /// Beside blobs, other files lie in the folder too; else they are in the archive.
  private static func companions(
    _ manifest: Manifest, _ archive: ZipArchive?, in folder: String
  ) -> ConvertedSource.Companions {
    if let archive, !manifest.formats.contains("bin") { return .archive(archive) }
    return .folder(folder)
  }

  private static func copies(
    _ manifest: Manifest, in folder: String
  ) throws(NetconvError) -> [ConvertedSource.Copy] {
    var copies: [ConvertedSource.Copy] = []
    for record in manifest.tensors {
      do throws(NetconvError) {
        let file = try ContainedPath(record.file, in: folder).open()
        guard file.size == record.length else {
          throw NetconvError.wrongFileSize(file.size, expected: record.length).inFile(file.path)
        }
        copies.append(ConvertedSource.Copy(record: record, file: file, range: 0..<file.size))
      } catch {
        throw error.inTensor(record.role).inLayer(record.layer)
      }
    }
    return copies
  }

  private static func unique(_ files: [RandomAccessFile]) -> [RandomAccessFile] {
    var seen: Set<ObjectIdentifier> = []
    return files.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
