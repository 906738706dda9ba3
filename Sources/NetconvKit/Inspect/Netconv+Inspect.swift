import Documents
import ModelIR
import Readers

extension Netconv {
  /// Describes the contents of a model: layers, shapes, layouts, sizes.
  ///
  /// If the graph cannot be read, the report contains the layers and tensors, and the problem.
  ///
  /// - Parameters:
  ///   - path: the path of a model in any format that netconv reads.
  ///   - architecture: a file with the architecture, for sources that hold only weights.
  ///   - replacements: operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  ///   - renames: a JSON file with other names for the variables of a TensorFlow checkpoint or graph.
  ///   - graph: the part of the source that is the model: between nodes of a TensorFlow or ONNX graph, or one of the
  ///     networks in a PyTorch file.
  ///   - withStatistics: true to verify the checksums and read every value; otherwise no weight is read.
  ///   - forPage: true if the report is to be written as a page, which also includes statistics.
  ///   - observer: receives the events.
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
      // A page may not be opened, and a summary does not show it.
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
