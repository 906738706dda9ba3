import Documents
import Files
import ModelIR
import Readers

/// Options for reading a source, where its format leaves a choice.
public struct SourceOptions: Sendable, Equatable {
  /// A file with the architecture, for sources that hold only weights.
  public var architecture: Architecture?
  /// A JSON file that maps the names of variables in a TensorFlow checkpoint or graph to other names.
  public var renames: String?
  /// The part of the source that is the model.
  public var graph: GraphSelection

  /// Creates options; by default, none is set.
  public init(
    architecture: Architecture? = nil, renames: String? = nil,
    graph: GraphSelection = GraphSelection()
  ) {
    self.architecture = architecture
    self.renames = renames
    self.graph = graph
  }

  /// All options that are set, formatted for a message that suggests another command on the same sources.
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

  /// Returns a copy in which unset options are taken from `others`.
  func orThose(of others: SourceOptions) -> SourceOptions {
    SourceOptions(
      architecture: architecture ?? others.architecture, renames: renames ?? others.renames,
      graph: GraphSelection(
        inputs: graph.inputs.isEmpty ? others.graph.inputs : graph.inputs,
        outputs: graph.outputs.isEmpty ? others.graph.outputs : graph.outputs,
        entry: graph.entry ?? others.graph.entry,
        layerNames: graph.layerNames.isEmpty ? others.graph.layerNames : graph.layerNames,
        substitutions: graph.substitutions.isEmpty
          ? others.graph.substitutions : graph.substitutions,
        readsCodes: graph.readsCodes || others.graph.readsCodes))
  }

  /// Returns a copy that selects the part of the file at `path` that the manifest of its conversion records, unless
  /// the options already select one.
  func orThose(recordedBy conversion: ReadSource?, of path: String) -> SourceOptions {
    guard let record = conversion?.converted?.manifest.source, let part = record.part,
      !graph.namesNodes, graph.entry == nil, !graph.readsCodes, record.isOf(path)
    else { return self }
    var selection = part.selection
    selection.layerNames = graph.layerNames
    selection.substitutions = graph.substitutions
    return SourceOptions(architecture: architecture, renames: renames, graph: selection)
  }

  /// Returns reader options for a single source.
  ///
  /// - Throws: any error from reading ``renames``.
  func reading(
    acceptsWeights: Bool = false, _ replacements: LayerReplacements
  ) throws(NetconvError) -> ReaderOptions {
    ReaderOptions(
      architecture: architecture, acceptsWeights: acceptsWeights, replacements: replacements,
      renames: try VariableRenames(of: renames), graph: graph)
  }

  /// Returns reader options for one of two sources; options that its format does not accept are ignored.
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

  /// Checks that each of these options was used for `a` or `b`, and each of `others` for `b`.
  ///
  /// - Parameter others: options for `b` that override these.
  /// - Throws: `usage` with an option that no source used.
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
    if graph.layerNames.isEmpty, graph.substitutions.isEmpty {
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
  /// True if the record is of the file at `path`, judged by file names.
  ///
  /// For a checkpoint, the record may name the graph beside it.
  fileprivate func isOf(_ path: String) -> Bool {
    if file == Directory.lastComponent(of: path) { return true }
    let graph = ReaderRegistry.graphBesideCheckpoint(at: path)
    return file == graph.map(Directory.lastComponent(of:))
  }
}
