import Files
import ModelIR
import ProtocolBuffers

/// A frozen graph of TensorFlow: one file, with the weights as constants.
enum TensorFlowGraphReader: ModelReader {
  static let format = "tensorflow-graph"
  static let summary = "a frozen TensorFlow graph (.pb)"
  static let takesGraphEnds = true

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

/// A SavedModel: a folder with a graph and a checkpoint.
enum TensorFlowSavedModelReader: ModelReader {
  static let format = "tensorflow-saved-model"
  static let summary = "a TensorFlow SavedModel (its folder)"
  static let takesGraphEnds = true
  private static let fileName = "saved_model.pb"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.names?.contains(fileName) ?? probe.isSavedModel
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let folder = probe.names == nil ? Directory.parent(of: probe.path) : probe.path
    let file =
      probe.names == nil ? try probe.opened() : try RandomAccessFile(path: folder + "/" + fileName)
    do throws(NetconvError) {
      let meta = try Self.metaGraph(WireBytes(file).message("SavedModel"))
      guard let graph = meta.graph else { throw .noGraphInFile }
      var source = TensorFlowGraphSource(graph: graph)
      source.signature = try signature(of: meta)
      let prefix = folder + "/variables/variables"
      let checkpoint =
        FileState(path: prefix + ".index") == nil ? nil : try TensorFlowCheckpoint(prefix: prefix)
      if let checkpoint { try source.restore(checkpoint, by: meta.restoreOperation) }
      return try source.read(
        format: format, path: probe.path,
        framework: meta.version.map { "tensorflow \($0)" } ?? "tensorflow", files: [file],
        checkpoint: checkpoint, options)
    } catch {
      throw error.inFile(file.path)
    }
  }

  private enum Number: Int {
    case metaGraph = 2
  }

  /// The graph for use, of those that the file has.
  private static func metaGraph(_ message: WireMessage) throws(NetconvError) -> MetaGraph {
    var graphs: [MetaGraph] = []
    try message.forEachField { field throws(NetconvError) in
      if Number(rawValue: field.number) == .metaGraph {
        graphs.append(try MetaGraph(field.inner("MetaGraphDef")))
      }
    }
    guard let graph = graphs.first(where: { $0.tags.contains("serve") }) ?? graphs.first else {
      throw .noGraphInFile
    }
    return graph
  }

  /// The signature for use.
  ///
  /// - Throws: `badData` if there are several, of which none is the default.
  private static func signature(
    of meta: MetaGraph
  ) throws(NetconvError) -> MetaGraph.Signature? {
    let own = meta.signatures.filter {
      !$0.key.hasPrefix("__saved_model") && !$0.value.outputs.isEmpty
    }
    if let usual = own["serving_default"] { return usual }
    guard own.count <= 1 else { throw .severalSignatures(own.keys.sorted()) }
    return own.first?.value
  }
}

/// The graph that TensorFlow 1 writes beside a checkpoint.
enum TensorFlowMetaGraphReader: ModelReader {
  static let format = "tensorflow-meta-graph"
  static let summary = "a TensorFlow graph beside its checkpoint (.meta)"
  static let takesGraphEnds = true
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

extension TensorFlowGraphSource {
  /// What was read, or the weights alone where they will do.
  fileprivate func read(
    format: String, path: String, framework: String, files: [RandomAccessFile],
    checkpoint: TensorFlowCheckpoint?, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let name = Self.modelName(path)
    var problem: NetconvError?
    var notes: [SourceNote] = []
    let network: Network
    do throws(NetconvError) {
      let found = try model(called: name, options.graph)
      network = .model(found.model)
      notes = found.notes
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      guard let found = try? weights(called: name, checkpoint) else { throw error }
      problem = error
      network = .weights(found)
    }
    var source = ReadSource(
      format: format, path: path, framework: framework, files: files + (checkpoint?.files ?? []),
      network: network, converted: nil, notes: notes, unchecked: checkpoint?.unchecked ?? [])
    source.problem = problem
    return source
  }

  /// The last part of a path, without its ending.
  private static func modelName(_ path: String) -> String {
    let last = Directory.lastComponent(of: path)
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}
