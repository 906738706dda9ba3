import Documents
import Files
import ModelIR
import Readers

/// How a source is read, where its format leaves that open.
public struct SourceOptions: Sendable, Equatable {
  /// A file with the architecture, for sources that hold only weights.
  public var architecture: Architecture?
  /// A JSON file with other names for the variables of a TensorFlow checkpoint or graph, by those that it has.
  public var renames: String?
  /// Which part of the source is the model.
  public var graph: GraphSelection

  /// By default, nothing is said.
  public init(
    architecture: Architecture? = nil, renames: String? = nil,
    graph: GraphSelection = GraphSelection()
  ) {
    self.architecture = architecture
    self.renames = renames
    self.graph = graph
  }

  /// All that is said, for messages with a command that does something else with the same sources.
  func given(_ side: Remedy.Side) -> Message {
    var all: [(Remedy, String)] = []
    if let architecture {
      all.append((.architecture, architecture.path))
      all += architecture.bindings.map { (.bindings, $0) }
      if let convention = architecture.convention { all.append((.convention, convention)) }
    }
    if let renames { all.append((.renames, renames)) }
    all += graph.inputs.map { (.graphInput, $0) } + graph.outputs.map { (.graphOutput, $0) }
    if let entry = graph.entry { all.append((.entry, entry)) }
    return all.reduce("") { $0 + " \(.given($1.0, $1.1, side))" }
  }

  /// The same; what it does not say, `others` say.
  func orThose(of others: SourceOptions) -> SourceOptions {
    SourceOptions(
      architecture: architecture ?? others.architecture, renames: renames ?? others.renames,
      graph: GraphSelection(
        inputs: graph.inputs.isEmpty ? others.graph.inputs : graph.inputs,
        outputs: graph.outputs.isEmpty ? others.graph.outputs : graph.outputs,
        entry: graph.entry ?? others.graph.entry,
        layerNames: graph.layerNames.isEmpty ? others.graph.layerNames : graph.layerNames,
        readsCodes: graph.readsCodes || others.graph.readsCodes))
  }

  /// The same; which part of the file at `path` is the model says the manifest of a conversion of it, if nothing else does.
  func orThose(recordedBy conversion: ReadSource?, of path: String) -> SourceOptions {
    guard let record = conversion?.converted?.manifest.source, let part = record.part,
      !graph.namesNodes, graph.entry == nil, !graph.readsCodes, record.isOf(path)
    else { return self }
    var selection = part.selection
    selection.layerNames = graph.layerNames
    return SourceOptions(architecture: architecture, renames: renames, graph: selection)
  }

  /// The same for a reader of this source alone.
  ///
  /// - Throws: what reading ``renames`` throws.
  func reading(
    acceptsWeights: Bool = false, _ replacements: LayerReplacements
  ) throws(NetconvError) -> ReaderOptions {
    ReaderOptions(
      architecture: architecture, acceptsWeights: acceptsWeights, replacements: replacements,
      renames: try VariableRenames(of: renames), graph: graph)
  }

  /// The same for a reader of one of two sources, which passes over what the format of that one does not take.
  func ofOneOfTwo(
    acceptsWeights: Bool, _ replacements: LayerReplacements
  ) throws(NetconvError) -> ReaderOptions {
    var options = ReaderOptions(
      architecture: architecture, acceptsWeights: acceptsWeights,
      replacements: replacements.ifThere, renames: try VariableRenames(of: renames).ifThere,
      graph: graph)
    options.allowsOwnArchitecture = true
    return options
  }

  /// Checks that `a` or `b` was read with each of these options, and `b` with each of `others`.
  ///
  /// - Parameter others: what was said of `b` in the place of these.
  /// - Throws: `usage` that says what nobody takes.
  func check(
    usedBy a: ReadSource, and b: ReadSource, _ others: SourceOptions
  ) throws(NetconvError) {
    try ReaderOptions(architecture: others.architecture, graph: others.graph).check(usedBy: [b])
    let kept = { (isReplaced: Bool) in isReplaced ? [a] : [a, b] }
    let graph = others.graph
    try ReaderOptions(architecture: architecture)
      .check(usedBy: kept(others.architecture != nil))
    try ReaderOptions(graph: GraphSelection(inputs: self.graph.inputs, outputs: self.graph.outputs))
      .check(usedBy: kept(!graph.inputs.isEmpty || !graph.outputs.isEmpty))
    try ReaderOptions(graph: GraphSelection(entry: self.graph.entry))
      .check(usedBy: kept(graph.entry != nil))
    try ReaderOptions(graph: GraphSelection(readsCodes: self.graph.readsCodes))
      .check(usedBy: kept(graph.readsCodes))
    if graph.layerNames.isEmpty {
      try self.graph.checkLayerNames(renamedIn: a, b)
    } else {
      try self.graph.checkLayerNames(renamedIn: a)
      try graph.checkLayerNames(renamedIn: b)
    }
    let (renames, other) = (try VariableRenames(of: renames), others.renames)
    if other == nil {
      try renames.check(renamedIn: a, b)
    } else {
      try renames.check(renamedIn: a)
      try VariableRenames(of: other).check(renamedIn: b)
    }
  }
}

extension Manifest.Source {
  /// Whether the record is of what is at `path`, by the names of files: a checkpoint's is that of the graph beside it.
  fileprivate func isOf(_ path: String) -> Bool {
    if file == Directory.lastComponent(of: path) { return true }
    let graph = ReaderRegistry.graphBesideCheckpoint(at: path)
    return file == graph.map(Directory.lastComponent(of:))
  }
}
