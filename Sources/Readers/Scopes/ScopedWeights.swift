import ModelIR

extension Weights {
  /// Variables of TensorFlow: each scope is taken for a layer, and a variable without one is a layer of its own.
  ///
  /// - Throws: `badData` if the values of a variable cannot be counted.
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
