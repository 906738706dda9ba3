import ModelIR

extension TensorFlowGraphSource {
  /// The weights of a graph that is not read: those of its checkpoint, or constants of several numbers.
  ///
  /// - Throws: `badData` if there are none.
  func weights(
    called name: String, _ checkpoint: TensorFlowCheckpoint?
  ) throws(NetconvError) -> Weights {
    if let checkpoint { return try CheckpointVariables(checkpoint).layers(of: name) }
    var constants: [GraphConstant] = []
    for node in graph.nodes.all where node.operation == "Const" {
      guard case .tensor(let tensor) = node.attributes["value"], let source = tensor.source,
        !tensor.type.isInteger, source.count > 1
      else { continue }
      constants.append(
        GraphConstant(type: tensor.type, shape: tensor.shape, name: node.name, source: source))
    }
    guard !constants.isEmpty else { throw .noWeightsInGraph }
    var order: [String] = []
    var members: [String: [(last: String, constant: GraphConstant)]] = [:]
    for constant in constants {
      let (scope, last) = (constant.name ?? constant.path).scopeAndLast
      let layer = scope.isEmpty ? last : scope
      if members[layer] == nil { order.append(layer) }
      members[layer, default: []].append((last, constant))
    }
    return try Weights(
      name: name,
      layers: order.map { layer throws(NetconvError) in
        LayerWeights(name: layer, parameters: try tensors(members[layer] ?? [], of: layer))
      })
  }

  private func tensors(
    _ members: [(last: String, constant: GraphConstant)], of layer: String
  ) throws(NetconvError) -> [Tensor] {
    var roles = UniqueNames(separator: ":", from: 1)
    return try members.map { last, constant throws(NetconvError) in
      do throws(NetconvError) {
        let stored = try constant.stored(as: nil).asVector
        let role = ParameterRole(rawValue: roles.next(CheckpointWeights.role(named: last).rawValue))
        return try Tensor(
          layer: layer, spec: ParameterSpec(role, shape: stored.shape ?? []), stored: stored)
      } catch {
        throw error.inTensor(constant.path).inLayer(layer)
      }
    }
  }
}
