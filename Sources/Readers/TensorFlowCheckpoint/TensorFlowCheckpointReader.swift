import Files
import ModelIR

/// Reads a TensorFlow checkpoint of version 1 or 2: variables by name, without a graph.
///
/// With a Keras architecture, the variables are the weights of its layers.
enum TensorFlowCheckpointReader: ModelReader {
  static let format = "tensorflow-checkpoint"
  static let summary = "a TensorFlow checkpoint (.index, or its folder)"
  static let takesArchitecture = true
  static let bindsKerasArchitectures = true
  static let takesReplacements = true
  static let takesRenames = true

  static func recognizes(_ probe: SourceProbe) -> Bool { probe.isTensorFlowCheckpoint }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let files = try CheckpointFiles(probe)
    let checkpoint = try TensorFlowCheckpoint(files)
    var variables = try CheckpointVariables(checkpoint)
    let renamed = try variables.rename(options.renames.names, isStrict: options.renames.isStrict)
    var source = ReadSource(
      format: format, path: probe.path, framework: "tensorflow", files: checkpoint.files,
      network: .weights(try variables.layers(of: Directory.lastComponent(of: files.prefix))),
      converted: nil, notes: variables.notes, renamed: renamed, unchecked: checkpoint.unchecked,
      documents: files.list.map { [$0] } ?? [])
    source.leftOutCount = variables.others.count
    do throws(NetconvError) {
      guard let path = options.architecture?.path else {
        throw .noArchitectureInCheckpoint(
          variables.weights.count, leftOut: variables.others.count,
          graph: files.graph.map(Directory.lastComponent(of:)))
      }
      try source.bind(variables, path, options.replacements)
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      source.problem = error
      if !error.suggestsWeightsAlone { source.misfits = [error] }
    }
    return source
  }
}

extension ReadSource {
  /// Binds the variables to the layers of an architecture.
  fileprivate mutating func bind(
    _ variables: CheckpointVariables, _ path: String, _ replacements: LayerReplacements
  ) throws(NetconvError) {
    let file = try KerasConfigFile.open(path)
    documents.append(file)
    usesNamedArchitecture = true
    let architecture = try KerasArchitecture(KerasConfigFile.config(in: file).get(), file: path)
    let graph = try KerasGraph(architecture, replacing: replacements)
    let weights = CheckpointWeights(variables, of: architecture.root)
    network = .model(try graph.model(graph.definitions(weights)))
    replaced = graph.layers.replaced
    notes += [
      SourceNote.unused(weights.unused), SourceNote.calledOtherwise(weights.others),
      SourceNote.lora(of: architecture.namedLayers),
      SourceNote.stateful(architecture), SourceNote.random(architecture),
    ].compactMap(\.self)
  }
}

extension CheckpointVariables {
  /// Returns the weights by scope, each of which counts as a layer.
  func layers(of name: String) throws(NetconvError) -> Weights {
    guard !weights.isEmpty else {
      throw .noWeightsInCheckpoint(
        leftOut.prefix(20).map { "\(quoted($0.name)): \($0.role.plural)" })
    }
    return try Weights(
      name: name,
      scoped: weights.map { variable throws(NetconvError) in
        var stored = try checkpoint.stored(variable.entry)
        stored.path = variable.entry.name
        return (variable.name, stored)
      })
  }

  /// Remarks about entries that are not weights.
  fileprivate var notes: [SourceNote] { SourceNote.leftOut(others) }
}

extension SourceNote {
  /// The maximum number of names listed per role.
  private static let namesListed = 12

  /// Reports the entries of a checkpoint or graph that are not weights; empty if there are none.
  static func leftOut(_ others: [(name: String, role: CheckpointRole)]) -> [SourceNote] {
    guard !others.isEmpty else { return [] }
    var order: [CheckpointRole] = []
    var names: [CheckpointRole: [String]] = [:]
    for (name, role) in others {
      if names[role] == nil { order.append(role) }
      names[role, default: []].append(name)
    }
    return [
      SourceNote(
        text: others.count == 1
          ? "1 variable is not a weight and was left out"
          : "\(others.count) variables are not weights and were left out",
        details: order.prefix(namesListed).map { "\($0.plural): \(list(names[$0] ?? []))" },
        isWarning: false)
    ]
  }

  /// Reports layers whose weights are named after other layers; `nil` if there are none.
  static func calledOtherwise(_ others: [(layer: String, variable: String)]) -> SourceNote? {
    guard !others.isEmpty else { return nil }
    return SourceNote(
      text:
        "the order of layers, by which TensorFlow restores weights, is not that of their names; check that the "
        + "architecture is the checkpoint's",
      details: others.prefix(namesListed).map { "\(quoted($0.layer)): \(quoted($0.variable))" },
      isWarning: true)
  }

  /// Reports weights that belong to no layer of an architecture; `nil` if there are none.
  static func unused(_ names: [String]) -> SourceNote? {
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: names.count == 1
        ? "1 weight of the checkpoint belongs to no layer of the architecture"
        : "\(names.count) weights of the checkpoint belong to no layer of the architecture",
      details: [list(names)], isWarning: true)
  }
}

extension NetconvError {
  fileprivate static func noWeightsInCheckpoint(_ leftOut: [String]) -> NetconvError {
    NetconvError(.badData, "holds no weights", details: leftOut)
  }

  fileprivate static func noArchitectureInCheckpoint(
    _ count: Int, leftOut: Int, graph: String?
  ) -> NetconvError {
    let others =
      leftOut == 0 ? "" : " and \(leftOut) other \(leftOut == 1 ? "variable" : "variables")"
    if let graph {
      return NetconvError(
        .badData,
        text:
          "holds \(count) \(count == 1 ? "weight" : "weights")\(others); the graph is in \(quoted(graph)) beside it, so name that"
          + weightsAlone)
    }
    return NetconvError(
      .badData,
      text:
        "holds \(count) \(count == 1 ? "weight" : "weights")\(others), but no architecture; pass the output of model.to_json() with "
        + "\(.architectureFile)" + weightsAlone)
  }
}
