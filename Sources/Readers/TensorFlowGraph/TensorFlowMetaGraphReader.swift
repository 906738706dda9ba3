import ModelIR
import ProtocolBuffers

/// The graph that TensorFlow 1 writes beside a checkpoint.
enum TensorFlowMetaGraphReader: ModelReader {
  static let format = "tensorflow-meta-graph"
  static let summary = "a TensorFlow graph beside its checkpoint (.meta)"
  static let takesGraphEnds = true
  static let takesRenames = true
  private static let ending = ".meta"

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
