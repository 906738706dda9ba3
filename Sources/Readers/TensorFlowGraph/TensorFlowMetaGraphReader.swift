import Files
import ModelIR
import ProtocolBuffers

/// A reader of the graph that TensorFlow 1 writes beside a checkpoint.
enum TensorFlowMetaGraphReader: ModelReader {
  static let format = "tensorflow-meta-graph"
  static let summary = "a TensorFlow graph beside its checkpoint (.meta)"
  static let takesGraphEnds = true
  static let takesRenames = true
  fileprivate static let ending = ".meta"

  static func recognizes(_ probe: SourceProbe) -> Bool { probe.isMetaGraph }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    let meta = try MetaGraph(WireBytes(file).message("MetaGraphDef"))
    guard let graph = meta.graph else { throw .noGraphInFile }
    guard probe.path.hasSuffix(ending) else { throw .metaWithoutEnding(ending) }
    let prefix = String(probe.path.dropLast(ending.count))
    var source = TensorFlowGraphSource(graph: graph)
    source.signature = meta.signatures["serving_default"]
    let checkpoint = try TensorFlowCheckpoint(prefix: prefix)
    try source.restore(checkpoint, by: meta.restoreOperation)
    return try source.read(
      format: format, path: probe.path,
      framework: meta.version.map { "tensorflow \($0)" } ?? "tensorflow", files: [file],
      checkpoint: checkpoint, options)
  }
}

extension SourceProbe {
  /// The graph beside a checkpoint, if nothing else states the architecture; `nil` if there is none.
  ///
  /// - Throws: `cannotOpen` if the file cannot be read.
  func graphBesideCheckpoint(_ options: ReaderOptions) throws(NetconvError) -> SourceProbe? {
    guard options.architecture == nil, !options.acceptsWeights || options.graph.namesNodes,
      options.replacements.isEmpty, isTensorFlowCheckpoint,
      let graph = try? CheckpointFiles(self).graph
    else { return nil }
    return try SourceProbe(graph)
  }
}

extension ReaderRegistry {
  /// The path of the graph beside the checkpoint at `path`; `nil` if there is no checkpoint or no graph.
  public static func graphBesideCheckpoint(at path: String) -> String? {
    guard let probe = try? SourceProbe(path), probe.isTensorFlowCheckpoint else { return nil }
    return (try? CheckpointFiles(probe))?.graph
  }
}

extension CheckpointFiles {
  /// The path of the graph, if it is in the same folder.
  var graph: String? {
    let path = prefix + TensorFlowMetaGraphReader.ending
    return FileState(path: path) == nil ? nil : path
  }
}

extension SourceNote {
  /// A note on the location of a checkpoint's graph.
  static func graphBesideCheckpoint(_ path: String) -> SourceNote {
    SourceNote(
      text:
        "the graph is that of \(quoted(Directory.lastComponent(of: path))), which lies beside the checkpoint",
      details: [], isWarning: false)
  }
}

extension NetconvError {
  fileprivate static func metaWithoutEnding(_ ending: String) -> NetconvError {
    NetconvError(
      .badData,
      "is the graph of a checkpoint; expected its name to be the checkpoint's with \(ending) behind it"
    )
  }
}
