import Documents
import ModelIR

/// The contents of a Keras file: a configuration, weights, or both.
struct KerasSource {
  /// The naming schemes of weights in files.
  enum WeightFile {
    /// By the names of the layer and the weight.
    case named(KerasH5Weights)
    /// By the class of the layer and a number.
    case numbered(KerasWeightFiles)
    /// By TensorFlow's variable scopes.
    case scoped(TFJSWeights)
  }

  /// The configuration, or the reason why there is none.
  let config: Result<JSONValue, NetconvError>
  /// The version of Keras that wrote the file, if stated.
  let version: String?
  /// The file with the configuration, for messages.
  let configFile: String
  let weights: WeightFile

  /// The result of reading a source.
  struct Reading {
    /// The model, or its weights alone.
    let network: Network
    /// The reason why there is no model.
    var problem: NetconvError?
    /// Remarks for the user.
    var notes: [SourceNote] = []
    /// Errors other than unsupported layers: inconsistent or unreadable weights.
    var misfits: [NetconvError] = []
    /// The layers replaced by an operator.
    var replaced: [ReplacementRecord] = []
  }

  /// Reads the model, or its weights alone if the graph is unreadable and optional.
  ///
  /// - Throws: `badData` if the graph is required and cannot be read, or the weights do not fit it; `usage` if a
  ///   replacement is invalid.
  func reading(_ options: ReaderOptions) throws(NetconvError) -> Reading {
    do {
      let graph = try KerasGraph(
        try KerasArchitecture(try config.get(), version: version, file: configFile),
        replacing: options.replacements)
      let found = try definitions(of: graph)
      return Reading(
        network: .model(try graph.model(found.definitions)),
        notes: [
          holdsLoRA ? SourceNote.lora(of: graph.architecture.namedLayers) : nil,
          SourceNote.stateful(graph.architecture), SourceNote.random(graph.architecture),
        ].compactMap(\.self) + found.notes,
        replaced: graph.layers.replaced)
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      if case .scoped = weights { throw error }
      let set = KerasWeightSet(config: try? config.get(), version: version)
      var notes: [SourceNote] = []
      let listed: (weights: Weights, notes: [SourceNote], misfits: [NetconvError])
      switch weights {
      case .named(let weights):
        let settled = try weights.settled(kerasVersion: set.kerasVersion, layers: set.layers)
        notes = settled.notes
        listed = try set.weights(from: settled)
      case .numbered(let files):
        listed = try set.weights(from: KerasPathWeights(files, of: set.layers))
      case .scoped: preconditionFailure("a layers model has a graph")
      }
      return Reading(
        network: .weights(listed.weights), problem: error, notes: listed.notes + notes,
        misfits: (error.suggestsWeightsAlone ? [] : [error]) + listed.misfits.filter { $0 != error }
      )
    }
  }

  private func definitions(
    of graph: KerasGraph
  ) throws(NetconvError) -> (definitions: [LayerDefinition], notes: [SourceNote]) {
    let architecture = graph.architecture
    switch weights {
    case .named(let weights):
      let settled = try weights.settled(
        kerasVersion: architecture.kerasVersion, layers: architecture.layers)
      return (try graph.definitions(settled), settled.notes)
    case .numbered(let files):
      return (try graph.definitions(KerasPathWeights(files, of: architecture.layers)), [])
    case .scoped(let weights): return (try graph.definitions(weights), [])
    }
  }

  private var holdsLoRA: Bool {
    if case .named = weights { true } else { false }
  }
}

extension KerasH5Weights {
  /// Returns the weights as a version of Keras wrote them for `layers`.
  fileprivate func settled(
    kerasVersion: Int, layers: [KerasLayerTree]
  ) throws(NetconvError) -> KerasH5Weights {
    var weights = self
    try weights.settle(kerasVersion: kerasVersion, layers: layers)
    return weights
  }

  /// Remarks about weights that were bound by order against their names.
  fileprivate var notes: [SourceNote] {
    [SourceNote.contradicted(contradicted), SourceNote.otherGroups(otherGroups)].compactMap(\.self)
  }
}
