import Documents
import Files
import ModelIR

/// Reads a container file that holds a complete output of netconv.
enum ConvertedArchiveReader: ModelReader {
  static let format = "netconv"
  static let summary = "a \(OutputFormat.wholeEndings) archive"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    container(beginningWith: probe.prefix) != nil
  }

  private static func container(
    beginningWith prefix: [UInt8]
  ) -> (format: OutputFormat, file: any ReadableContainerFile.Type)? {
    for format in OutputFormat.whole {
      if let file = format.reading as? any ReadableContainerFile.Type, file.recognizes(prefix) {
        return (format, file)
      }
    }
    return nil
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    guard let found = container(beginningWith: probe.prefix) else { throw .noManifest }
    let container = try found.file.open(probe)
    let manifest = try Manifest.decode(container.manifest() ?? [])
    let copies = try container.copies(ConvertedCopies(manifest, found.format))
    return ReadSource(
      format: format, path: probe.path, framework: manifest.source.framework,
      files: [try probe.opened()],
      network: try ConvertedNetwork.network(manifest, copies, isAlone: true),
      converted: ConvertedSource(
        manifest: manifest, tensors: copies, others: [], foreign: [],
        formats: [found.format.rawValue], missing: [], companions: .container(container)),
      notes: SourceNote.recorded(manifest.source.notes))
  }
}
