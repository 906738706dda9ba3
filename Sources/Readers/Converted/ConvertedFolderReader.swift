import Documents
import Files
import ModelIR

/// A folder that netconv wrote.
enum ConvertedFolderReader: ModelReader {
  static let format = "netconv"
  static let summary = "a folder that netconv wrote, with manifest.json"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.names?.contains(Manifest.fileName) ?? false
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let path = probe.path
    let manifestFile = try ContainedPath(Manifest.fileName, in: path).open()
    do throws(NetconvError) {
      let bytes = try manifestFile.contents(limit: JSONDocument.sizeLimit)
      let manifest = try Manifest.decode(bytes)
      let names = probe.names ?? []
      var found: [[ConvertedSource.Copy]] = []
      // What was written and is gone, such as blobs that were moved to a device, is not needed as long as one is left.
      let formats = formats(of: manifest, there: names)
      var containers: [any OpenContainer] = []
      for format in formats {
        let container = try format.reading.open(in: path)
        if let held = try container.manifest(), held != bytes {
          throw .differentManifests(in: format.fileName ?? "")
        }
        found.append(try container.copies(ConvertedCopies(manifest, format)))
        containers.append(container)
      }
      let tensors = found.first ?? []
      let network = try ConvertedNetwork.network(manifest, tensors)
      return ReadSource(
        format: format, path: path, framework: manifest.source.framework,
        files: [manifestFile] + unique(tensors.map(\.file)),
        network: network,
        converted: ConvertedSource(
          manifest: manifest, tensors: tensors, others: Array(found.dropFirst().joined()),
          foreign: foreignCopies(manifest, network, in: path, there: names),
          formats: formats.map(\.rawValue), missing: missing(of: manifest, there: names),
          companions: companions(manifest, in: path, containers)),
        notes: SourceNote.recorded(manifest.source.notes))
    } catch {
      throw error.inFile(manifestFile.path)
    }
  }

  private static func foreignCopies(
    _ manifest: Manifest, _ network: Network, in folder: String, there names: [String]
  ) -> [any ForeignCopies] {
    let copies: [(any ForeignCopies)?] = [
      ShardedCopies(manifest, network, in: folder, there: names),
      ONNXCopies(manifest, network, in: folder, there: names),
    ]
    return copies.compactMap(\.self)
  }

  /// Only a container alone holds the other files too; else they lie in the folder.
  private static func companions(
    _ manifest: Manifest, in folder: String, _ containers: [any OpenContainer]
  ) -> ConvertedSource.Companions {
    manifest.containers.map(\.holdsManifest) == [true]
      ? .container(containers[0]) : .folder(folder)
  }

  /// The containers that were written and are there, the one to be read first; the first that was written if none is.
  private static func formats(of manifest: Manifest, there names: [String]) -> [OutputFormat] {
    let written = manifest.containers.filter { !$0.isSourceText }
    let there = written.filter { $0.names.allSatisfy(names.contains) }
    return there.isEmpty ? Array(written.prefix(1)) : there
  }

  /// What the containers of `manifest` consist of that is not there.
  private static func missing(of manifest: Manifest, there names: [String]) -> [String] {
    // The folder of the weights is empty if the model has none.
    manifest.containers.flatMap(\.names).filter { !names.contains($0) }
  }

  private static func unique(_ files: [RandomAccessFile]) -> [RandomAccessFile] {
    var seen: Set<ObjectIdentifier> = []
    return files.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
