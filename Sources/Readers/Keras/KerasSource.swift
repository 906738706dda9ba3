import Documents
import HDF5
import ModelIR

/// A Keras model as far as a file holds it: a configuration, weights, or both.
struct KerasSource {
  /// The two ways in which a file names its weights.
  enum WeightFile {
    /// By the name of the layer and of the weight.
    case named(KerasH5Weights)
    /// By the class of the layer and a number.
    case numbered(HDF5File)
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
      return Reading(
        network: .model(try graph.model(definitions(of: graph))),
        notes: [
          holdsLoRA ? SourceNote.lora(of: graph.architecture.namedLayers) : nil,
          SourceNote.stateful(graph.architecture),
        ].compactMap(\.self),
        replaced: graph.layers.replaced)
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      if case .scoped = weights { throw error }
      let set = KerasWeightSet(config: try? config.get(), version: version)
      let listed =
        switch weights {
        case .named(let weights):
          try set.weights(from: weights.settled(kerasVersion: set.kerasVersion))
        case .numbered(let file):
          try set.weights(from: KerasPathWeights(file, of: set.layers))
        case .scoped: preconditionFailure("a layers model has a graph")
        }
      return Reading(
        network: .weights(listed.weights), problem: error, notes: listed.notes,
        misfits: (error.promisesWeights ? [] : [error]) + listed.misfits.filter { $0 != error })
    }
  }

  private func definitions(of graph: KerasGraph) throws(NetconvError) -> [LayerDefinition] {
    switch weights {
    case .named(let weights):
      try graph.definitions(weights.settled(kerasVersion: graph.architecture.kerasVersion))
    case .numbered(let file):
      try graph.definitions(KerasPathWeights(file, of: graph.architecture.root))
    case .scoped(let weights): try graph.definitions(weights)
    }
  }

  private var holdsLoRA: Bool {
    if case .named = weights { true } else { false }
  }
}

extension KerasH5Weights {
  /// The same weights as a version of Keras wrote them.
  fileprivate func settled(kerasVersion: Int) throws(NetconvError) -> KerasH5Weights {
    var weights = self
    try weights.settle(kerasVersion: kerasVersion)
    return weights
  }
}
