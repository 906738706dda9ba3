import Documents
import ModelIR
import Readers

extension Netconv {
  /// Tells what is in a model: layers, shapes, layouts, sizes.
  ///
  /// Of a source whose graph cannot be read it tells the layers and tensors, and what is in the way.
  ///
  /// - Parameters:
  ///   - path: anything that netconv reads.
  ///   - architecture: a file with the architecture, for sources that hold only weights.
  ///   - replacements: operators in the place of layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  ///   - renames: a JSON file with other names for the variables of a TensorFlow checkpoint or graph.
  ///   - graph: which part of the source is the model: between nodes of a TensorFlow or ONNX graph, or one of a PyTorch file's networks.
  ///   - withStatistics: whether to read every value, after what is stored was compared with its checksums; without,
  ///     no weight is read.
  ///   - forPage: whether the report is to be written as a page, which also takes statistics.
  ///   - observer: told of progress.
  /// - Throws: `usage` if a layer cannot be replaced, `badData`, `cannotOpen`, `inputOutput` or `interrupted`.
  public static func inspect(
    _ path: String, architecture: Architecture? = nil, replacements: [String] = [],
    renames: String? = nil, graph: GraphSelection = GraphSelection(), withStatistics: Bool = false,
    forPage: Bool = false, observer: Observer = Observer()
  ) throws(NetconvError) -> InspectReport {
    var options = ReaderOptions(
      architecture: architecture, acceptsWeights: true,
      replacements: try LayerReplacements(options: replacements),
      renames: try VariableRenames(of: renames), graph: graph)
    options.acceptsNothing = true
    let source = try ReaderRegistry.read(path, options)
    for note in source.notes { observer.onEvent(note.event) }
    guard withStatistics || forPage else { return InspectReport(source, statistics: nil) }
    _ = try source.checkIntegrity(observer)
    var statistics: [TensorStatistics] = []
    let tensors = source.network.tensors
    for (index, tensor) in tensors.enumerated() {
      do {
        statistics.append(try self.statistics(of: tensor, observer))
      } catch {
        throw error.inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer).inFile(path)
      }
      observer.onEvent(
        .progress(Double(index + 1) / Double(forPage ? 2 * tensors.count : tensors.count)))
    }
    var report = InspectReport(source, statistics: statistics)
    if forPage {
      report.details = try InspectDetails(of: source, statistics, observer)
      // A page may be read by nobody, and a summary does not show it.
      if let damage = report.damage {
        observer.onEvent(.warning(Message(text: damage), details: []))
      }
    }
    return report
  }

  private static func statistics(
    of tensor: Tensor, _ observer: Observer
  ) throws(NetconvError) -> TensorStatistics {
    var accumulator = TensorStatistics.Accumulator()
    try tensor.forEachPanel(observer) { accumulator.update($0) }
    return accumulator.result
  }
}
