import ModelIR

/// A tensor of a file without a graph, with what its name says.
struct ScopedTensor: Sendable {
  /// The scope that it is in, which is taken for a layer.
  let layer: String
  /// What it is to the layer.
  let role: ParameterRole
  /// The values; the path is the name that the file has.
  let stored: StoredTensor
}

extension Weights {
  /// Tensors of which only the names tell what they are.
  ///
  /// - Throws: `badData` if the values of a tensor cannot be counted.
  init(name: String, scoped tensors: [ScopedTensor]) throws(NetconvError) {
    var layers: [(name: String, members: [ScopedTensor])] = []
    var places: [String: Int] = [:]
    places.reserveCapacity(tensors.count)
    for tensor in tensors {
      var place = layers.count - 1
      // Most lie beside others of their layer.
      if layers.last?.name != tensor.layer {
        place = places[tensor.layer] ?? layers.count
        if place == layers.count {
          places[tensor.layer] = place
          layers.append((tensor.layer, []))
        }
      }
      layers[place].members.append(tensor)
    }
    try self.init(
      name: name,
      layers: layers.map { layer, members throws(NetconvError) in
        LayerWeights(name: layer, parameters: try Self.tensors(members, of: layer))
      })
  }

  private static func tensors(
    _ members: [ScopedTensor], of layer: String
  ) throws(NetconvError) -> [Tensor] {
    let isAlone = members.count == 1
    var taken = Set<ParameterRole>(minimumCapacity: isAlone ? 0 : members.count)
    var roles: UniqueNames?
    return try members.map { member throws(NetconvError) in
      var role = member.role
      if !isAlone, !taken.insert(role).inserted {
        // Few layers have both `W` and `kernel`.
        var names =
          roles ?? UniqueNames(separator: ":", from: 1, besides: Set(taken.map(\.rawValue)))
        role = ParameterRole(rawValue: names.next(role.rawValue))
        taken.insert(role)
        roles = names
      }
      do throws(NetconvError) {
        return try Tensor(
          layer: layer, spec: ParameterSpec(role, shape: member.stored.shape ?? []),
          stored: member.stored)
      } catch {
        throw error.inTensor(member.stored.path).inLayer(layer)
      }
    }
  }
}
