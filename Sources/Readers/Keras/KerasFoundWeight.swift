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
  /// - Throws: `badData` if the file's own index is damaged, or values are of a type that cannot be read.
  func allWeights(of leaves: [KerasLeaf]) throws(NetconvError) -> [KerasFoundWeight]
}
