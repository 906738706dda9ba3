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
  }

  /// What a file holds.
  struct Content {
    /// The model, or its weights alone.
    let network: Network
    /// Why the graph could not be read, where weights had to do.
    let problem: NetconvError?
    /// What a user should know.
    let notes: [SourceNote]
  }

  /// The configuration, or why there is none.
  let config: Result<JSONValue, NetconvError>
  /// The version of Keras that wrote the file, if it says so.
  let version: String?
  /// The file with the configuration, for messages.
  let configFile: String
  /// The weights.
  let weights: WeightFile

  /// The model, or its weights alone where that will do and there is no graph to be had.
  ///
  /// - Returns: the network, why the graph could not be read, and what a user should know.
  /// - Throws: `badData` if the graph cannot be read and is wanted, or the weights do not fit it.
  func network(
    acceptsWeights: Bool
  ) throws(NetconvError) -> Content {
    let graph: KerasGraph
    do {
      graph = try KerasGraph(
        try KerasArchitecture(try config.get(), version: version, file: configFile))
    } catch {
      return try withoutGraph(because: error, acceptsWeights)
    }
    let definitions =
      switch weights {
      case .named(let weights):
        try graph.definitions(weights.settled(kerasVersion: graph.architecture.kerasVersion))
      case .numbered(let file):
        try graph.definitions(KerasPathWeights(file, of: graph.architecture.root))
      }
    do {
      return Content(
        network: .model(try graph.model(definitions)), problem: nil,
        notes: holdsLoRA
          ? [SourceNote.lora(of: graph.architecture.namedLayers)].compactMap { $0 } : []
      )
    } catch {
      // Weights that are not what the layers need are damage.
      return try withoutGraph(because: error, acceptsWeights && error.tensor == nil)
    }
  }

  private func withoutGraph(
    because problem: NetconvError, _ acceptsWeights: Bool
  ) throws(NetconvError) -> Content {
    guard acceptsWeights else { throw problem }
    let set = KerasWeightSet(config: try? config.get(), version: version)
    let listed =
      switch weights {
      case .named(let weights):
        try set.weights(from: weights.settled(kerasVersion: set.kerasVersion))
      case .numbered(let file):
        try set.weights(from: KerasPathWeights(file, of: set.layers))
      }
    return Content(network: .weights(listed.weights), problem: problem, notes: listed.notes)
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
