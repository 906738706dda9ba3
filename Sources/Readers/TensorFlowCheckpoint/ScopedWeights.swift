import ModelIR

extension Weights {
  /// Variables of which only the names tell what they are: each scope is taken for a layer, and a variable without one is
  /// a layer of its own.
  ///
  /// - Throws: `badData` if the values of a variable cannot be counted.
  init(
    name: String, scoped variables: [(name: String, stored: StoredTensor)]
  ) throws(NetconvError) {
    var order: [String] = []
    var members: [String: [(last: String, stored: StoredTensor)]] = [:]
    for (name, stored) in variables {
      let (scope, last) = name.scopeAndLast
      let layer = scope.isEmpty ? name : scope
      if members[layer] == nil { order.append(layer) }
      members[layer, default: []].append((last, stored))
    }
    try self.init(
      name: name,
      layers: order.map { layer throws(NetconvError) in
        LayerWeights(
          name: layer, parameters: try Self.tensors(members[layer] ?? [], of: layer))
      })
  }

  private static func tensors(
    _ members: [(last: String, stored: StoredTensor)], of layer: String
  ) throws(NetconvError) -> [Tensor] {
    var taken: Set<ParameterRole> = []
    var roles: UniqueNames?
    return try members.map { last, stored throws(NetconvError) in
      var role = CheckpointWeights.role(named: last)
      if !taken.insert(role).inserted {
        // Few layers have both `W` and `kernel`.
        var names =
          roles ?? UniqueNames(separator: ":", from: 1, besides: Set(taken.map(\.rawValue)))
        role = ParameterRole(rawValue: names.next(role.rawValue))
        taken.insert(role)
        roles = names
      }
      let vector = stored.asVector
      do throws(NetconvError) {
        return try Tensor(
          layer: layer, spec: ParameterSpec(role, shape: vector.shape ?? []), stored: vector)
      } catch {
        throw error.inTensor(stored.path).inLayer(layer)
      }
    }
  }
}
