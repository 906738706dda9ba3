import ModelIR

extension Weights {
  /// Creates weights from TensorFlow variables; each scope counts as a layer, and so does a variable without a scope.
  ///
  /// - Throws: `badData` if the number of values of a variable overflows.
  init(
    name: String, scoped variables: [(name: String, stored: StoredTensor)]
  ) throws(NetconvError) {
    try self.init(
      name: name,
      scoped: variables.map { name, stored in
        let (scope, last) = name.scopeAndLast
        var stored = stored
        stored.name = name
        return ScopedTensor(
          layer: scope.isEmpty ? name : scope, role: CheckpointWeights.role(named: last),
          stored: stored)
      })
  }
}
