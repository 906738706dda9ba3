import ModelIR

/// A weight that a file holds, with what can be told of it without a graph.
struct KerasFoundWeight: Sendable {
  /// The layer that the configuration lists, if the weight is one of its own or of a layer inside it.
  let leaf: KerasLeaf?
  /// The layers inside ``leaf``, or inside the model if there is none, down to the one with the weight.
  let inside: [String]
  /// The last part of its name, without `:0`.
  let name: String
  /// The values.
  let stored: StoredTensor
}

/// A file format that can list all weights that a file holds.
protocol KerasWeightListing: KerasWeightSource {
  /// What the file calls the model; `nil` if it does not say.
  var modelName: String? { get }

  /// Every weight of the model, in the order of the file; the state of the optimizer is none.
  ///
  /// - Parameter leaves: the layers that the configuration lists.
  func allWeights(of leaves: [KerasLeaf]) -> KerasFoundWeights
}

/// The weights of a file, and what is wrong with those that are not there, cannot be read, or are not listed.
struct KerasFoundWeights {
  /// In the order of the file; those that nothing lists are last.
  private(set) var weights: [KerasFoundWeight] = []
  /// What is wrong.
  private(set) var misfits: [NetconvError] = []
  private var paths: Set<String> = []

  /// Notes what is wrong.
  mutating func add(_ misfit: NetconvError) { misfits.append(misfit) }

  /// Whether the array at `path` was found, or found to be unreadable.
  func knows(_ path: String) -> Bool { paths.contains(path) }

  /// Adds a weight, or what is wrong with it.
  ///
  /// - Parameters:
  ///   - path: where it should be.
  ///   - layer: whose it is.
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

  /// Adds an array that the file holds and `list` does not name.
  mutating func addUnlisted(
    _ path: String, by list: String, _ find: () throws(NetconvError) -> KerasFoundWeight
  ) {
    let count = misfits.count
    add(path, in: nil, find)
    if misfits.count == count { misfits.append(NetconvError.unlistedArray(list).inTensor(path)) }
  }
}
