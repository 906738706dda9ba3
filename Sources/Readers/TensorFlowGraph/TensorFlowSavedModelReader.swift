import Files
import ModelIR
import ProtocolBuffers

/// A reader of SavedModels: folders with a graph and a checkpoint.
enum TensorFlowSavedModelReader: ModelReader {
  static let format = "tensorflow-saved-model"
  static let summary = "a TensorFlow SavedModel (its folder)"
  static let takesGraphEnds = true
  static let takesRenames = true
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
      source.signature = try signature(of: meta, graph)
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

  /// The graph for serving, among those of the file.
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

  /// The signature for serving.
  ///
  /// - Throws: `badData` if there are several, none of which is the default.
  private static func signature(
    of meta: MetaGraph, _ graph: GraphDefinition
  ) throws(NetconvError) -> MetaGraph.Signature? {
    let own = meta.signatures.filter {
      !$0.key.hasPrefix("__saved_model") && !$0.value.outputs.isEmpty
    }
    if let usual = own["serving_default"] { return usual }
    guard !own.isEmpty || graph.nodes.all.contains(where: graph.isInput) else {
      throw .noSignature
    }
    guard own.count <= 1 else { throw .severalSignatures(own.keys.sorted()) }
    return own.first?.value
  }
}

extension NetconvError {
  fileprivate static var noSignature: NetconvError {
    NetconvError(
      .badData,
      "has no signature, so that nothing says what is fed; save it with one, by "
        + "tf.saved_model.save(…, signatures=…) or model.export(…)")
  }

  fileprivate static func severalSignatures(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text: "has several signatures and none called 'serving_default': "
        + "\(names.quotedList); name the outputs with \(.graphOutput)"
    )
  }
}
