import Files
import ModelIR
import ProtocolBuffers

/// A reader of frozen TensorFlow graphs: one file, with the weights as constants.
enum TensorFlowGraphReader: ModelReader {
  static let format = "tensorflow-graph"
  static let summary = "a frozen TensorFlow graph (.pb)"
  static let takesGraphEnds = true
  static let takesRenames = true

  static func recognizes(_ probe: SourceProbe) -> Bool { probe.isGraph }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    let graph = try GraphDefinition(WireBytes(file).message("GraphDef"))
    return try TensorFlowGraphSource(graph: graph).read(
      format: format, path: probe.path, framework: "tensorflow", files: [file], checkpoint: nil,
      options)
  }
}
