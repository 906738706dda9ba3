import ModelIR

extension TensorFlowGraphSource {
  /// The weights of a graph that is not read: those of its checkpoint, or constants of several numbers.
  ///
  /// - Throws: `badData` if there are none, `usage` if renames do not fit them.
  func weights(
    called name: String, _ checkpoint: TensorFlowCheckpoint?, _ renames: VariableRenames
  ) throws(NetconvError) -> (weights: Weights, renamed: Set<String>) {
    if let checkpoint {
      var variables = try CheckpointVariables(checkpoint)
      let renamed = try variables.rename(renames.names, isStrict: renames.isStrict)
      return (try variables.layers(of: name), renamed)
    }
    var constants: [GraphConstant] = []
    for node in graph.nodes.all where node.operation == "Const" {
      guard case .tensor(let tensor) = node.attributes["value"], let source = tensor.source,
        !tensor.type.isInteger, source.count > 1
      else { continue }
      constants.append(
        GraphConstant(type: tensor.type, shape: tensor.shape, name: node.name, source: source))
    }
    guard !constants.isEmpty else { throw .noWeightsInGraph }
    let names = try GraphRenames(renames, of: constants.compactMap(\.name))
    var order: [String] = []
    var members: [String: [(last: String, constant: GraphConstant)]] = [:]
    for constant in constants {
      let (scope, last) = names[constant.name ?? constant.path].scopeAndLast
      let layer = scope.isEmpty ? last : scope
      if members[layer] == nil { order.append(layer) }
      members[layer, default: []].append((last, constant))
    }
    let weights = try Weights(
      name: name,
      layers: order.map { layer throws(NetconvError) in
        LayerWeights(name: layer, parameters: try tensors(members[layer] ?? [], of: layer))
      })
    return (weights, names.renamed)
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
