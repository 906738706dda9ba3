import Documents
import Files
import ModelIR

/// Reads a folder that netconv wrote.
enum ConvertedFolderReader: ModelReader {
  static let format = "netconv"
  static let summary = "a folder that netconv wrote, with manifest.json"
  static let takesCodes = true

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
      // Containers may be missing, such as blobs that were moved to a device, as long as one is left.
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
      let source = ReadSource(
        format: format, path: path, framework: manifest.source.framework,
        files: [manifestFile] + unique(tensors.map(\.file)),
        network: network,
        converted: ConvertedSource(
          manifest: manifest, tensors: tensors, others: Array(found.dropFirst().joined()),
          foreign: foreignCopies(manifest, network, in: path, there: names),
          formats: formats.map(\.rawValue), missing: missing(of: manifest, there: names),
          companions: companions(manifest, in: path, containers)),
        notes: SourceNote.recorded(manifest.source.notes))
      let packed = try PackedFolder.weights(manifest, formats, at: path, options)
      return packed.map(source.holding) ?? source
    } catch {
      throw error.inFile(manifestFile.path)
    }
  }

  private static func foreignCopies(
    _ manifest: Manifest, _ network: Network, in folder: String, there names: [String]
  ) -> [any ForeignCopies] {
    let copies: [(any ForeignCopies)?] = [
      ShardedCopies(manifest, network, in: folder, there: names),
      GraphCopies.onnx(manifest, network, in: folder, there: names),
      GraphCopies.tflite(manifest, network, in: folder, there: names),
      GraphCopies.coreml(manifest, network, in: folder, there: names),
    ]
    return copies.compactMap(\.self)
  }

  /// Returns the location of the companion files: a sole container with the manifest, otherwise the folder.
  private static func companions(
    _ manifest: Manifest, in folder: String, _ containers: [any OpenContainer]
  ) -> ConvertedSource.Companions {
    manifest.containers.map(\.holdsManifest) == [true]
      ? .container(containers[0]) : .folder(folder)
  }

  /// Returns the containers that still exist, in order of preference; if none exists, the first that was written.
  private static func formats(of manifest: Manifest, there names: [String]) -> [OutputFormat] {
    let written = manifest.containers.filter { !$0.isSourceText }
    let there = written.filter { $0.names.allSatisfy(names.contains) }
    return there.isEmpty ? Array(written.prefix(1)) : there
  }

  /// Returns the missing files and folders of the manifest's containers.
  private static func missing(of manifest: Manifest, there names: [String]) -> [String] {
    // The weights folder is written even if the model has no weights; it is empty then.
    manifest.containers.flatMap(\.names).filter { !names.contains($0) }
  }

  private static func unique(_ files: [RandomAccessFile]) -> [RandomAccessFile] {
    var seen: Set<ObjectIdentifier> = []
    return files.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

extension NetconvError {
  fileprivate static func differentManifests(in container: String) -> NetconvError {
    NetconvError(
      .badData,
      "is not the manifest.json that \(container) holds; one of the two was changed, so convert "
        + "the model again")
  }
}
