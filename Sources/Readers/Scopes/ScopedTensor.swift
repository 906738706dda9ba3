import ModelIR

/// A tensor of a file without a graph, with the layer and role derived from its name.
struct ScopedTensor: Sendable {
  /// The scope of the tensor, which counts as a layer.
  let layer: String
  /// The role in the layer.
  let role: ParameterRole
  /// The values; their path is the name in the file.
  let stored: StoredTensor
}

extension Weights {
  /// Creates weights from tensors that are only identified by name.
  ///
  /// - Throws: `badData` if the number of values of a tensor overflows.
  init(name: String, scoped tensors: [ScopedTensor]) throws(NetconvError) {
    var layers: [(name: String, members: [ScopedTensor])] = []
    var places: [String: Int] = [:]
    places.reserveCapacity(tensors.count)
    for tensor in tensors {
      var place = layers.count - 1
      // Tensors of a layer are usually adjacent.
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
