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
  /// - Returns: the network, and why the graph could not be read.
  /// - Throws: `badData` if the graph cannot be read and is wanted, or the weights do not fit it.
  func network(
    acceptsWeights: Bool
  ) throws(NetconvError) -> (network: Network, problem: NetconvError?) {
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
      return (.model(try graph.model(definitions)), nil)
    } catch {
      // Weights that are not what the layers need are damage.
      return try withoutGraph(because: error, acceptsWeights && error.tensor == nil)
    }
  }

  private func withoutGraph(
    because problem: NetconvError, _ acceptsWeights: Bool
  ) throws(NetconvError) -> (network: Network, problem: NetconvError?) {
    guard acceptsWeights else { throw problem }
    return (.weights(try allWeights()), problem)
  }

  private func allWeights() throws(NetconvError) -> Weights {
    let config = try? config.get()
    let set = KerasWeightSet(config: config, version: version)
    return switch weights {
    case .named(let weights):
      try set.weights(from: weights.settled(kerasVersion: set.kerasVersion))
    case .numbered(let file):
      try set.weights(from: KerasPathWeights(file, of: set.layers))
    }
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
