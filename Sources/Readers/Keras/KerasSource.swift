import Documents
import ModelIR

/// A Keras model as far as a file holds it: a configuration, weights, or both.
struct KerasSource {
  /// The two ways in which a file names its weights.
  enum WeightFile {
    /// By the name of the layer and of the weight.
    case named(KerasH5Weights)
    /// By the class of the layer and a number.
    case numbered(KerasWeightFiles)
    /// By the scopes of TensorFlow's variables.
    case scoped(TFJSWeights)
  }

  /// The configuration, or why there is none.
  let config: Result<JSONValue, NetconvError>
  /// The version of Keras that wrote the file, if it says so.
  let version: String?
  /// The file with the configuration, for messages.
  let configFile: String
  /// The weights.
  let weights: WeightFile

  /// What was made of a source.
  struct Reading {
    /// The model, or its weights alone.
    let network: Network
    /// Why there is no model.
    var problem: NetconvError?
    /// What a user should know.
    var notes: [SourceNote] = []
    /// What does not fit together or cannot be read, besides layers that netconv does not know.
    var misfits: [NetconvError] = []
    /// The layers in whose place an operator was put.
    var replaced: [ReplacementRecord] = []
  }

  /// The model, or its weights alone where that will do and there is no graph to be had.
  ///
  /// - Throws: `badData` if the graph cannot be read, or the weights do not fit it, and it is wanted; `usage` if a
  ///   layer cannot be replaced.
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
        misfits: (error.promisesWeights ? [] : [error]) + listed.misfits.filter { $0 != error })
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
  /// The same weights as a version of Keras wrote them for `layers`.
  fileprivate func settled(
    kerasVersion: Int, layers: [KerasLayerTree]
  ) throws(NetconvError) -> KerasH5Weights {
    var weights = self
    try weights.settle(kerasVersion: kerasVersion, layers: layers)
    return weights
  }

  /// What was bound by order, and is not what the names say.
  fileprivate var notes: [SourceNote] {
    [SourceNote.contradicted(contradicted), SourceNote.otherGroups(otherGroups)].compactMap(\.self)
  }
}
