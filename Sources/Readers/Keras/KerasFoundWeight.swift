import ModelIR

/// A weight in a file, with the properties that are known without a graph.
struct KerasFoundWeight: Sendable {
  /// The layer of the configuration that contains the weight, directly or in a nested layer.
  let leaf: KerasLeaf?
  /// The nested layers inside ``leaf``, or inside the model if there is none, down to the owner of the weight.
  let inside: [String]
  /// The last component of the name, without `:0`.
  let name: String
  let stored: StoredTensor
}

/// A weight source that can list all weights in a file.
protocol KerasWeightListing: KerasWeightSource {
  /// The name of the model in the file; `nil` if it has none.
  var modelName: String? { get }

  /// Returns every weight of the model, in file order, without the optimizer state.
  ///
  /// - Parameter leaves: The layers of the configuration.
  func allWeights(of leaves: [KerasLeaf]) -> KerasFoundWeights
}

/// The weights of a file, and errors about weights that are missing, unreadable or unlisted.
struct KerasFoundWeights {
  /// The weights in file order; unlisted weights are last.
  private(set) var weights: [KerasFoundWeight] = []
  /// The errors.
  private(set) var misfits: [NetconvError] = []
  private var paths: Set<String> = []

  /// Adds an error.
  mutating func add(_ misfit: NetconvError) { misfits.append(misfit) }

  /// Returns true if the array at `path` was read, or failed to be read.
  func knows(_ path: String) -> Bool { paths.contains(path) }

  /// Adds a weight, or the error of reading it.
  ///
  /// - Parameters:
  ///   - path: The expected path of the weight.
  ///   - layer: The layer of the weight.
  mutating func add(
    _ path: String, in layer: String?, _ find: () throws(NetconvError) -> KerasFoundWeight
  ) {
    paths.insert(path)
    do {
      let weight = try find()
      paths.insert(weight.stored.path)
      weights.append(weight)
    } catch {
      misfits.append(layer.map(error.inLayer) ?? error)
    }
  }

  /// Adds an array of the file that `list` does not name.
  mutating func addUnlisted(
    _ path: String, by list: String, _ find: () throws(NetconvError) -> KerasFoundWeight
  ) {
    let count = misfits.count
    add(path, in: nil, find)
    if misfits.count == count { misfits.append(NetconvError.unlistedArray(list).inTensor(path)) }
  }
}

extension NetconvError {
  fileprivate static func unlistedArray(_ list: String) -> NetconvError {
    NetconvError(.badData, "the file holds this array, but \(list) does not list it")
  }
}
