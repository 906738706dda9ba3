import ModelIR

extension TensorFlowGraphSource {
  /// The weights of a graph that cannot be mapped: those of its checkpoint, or constants with several values.
  ///
  /// Optimizer slots and gradient computations are excluded.
  /// - Throws: `badData` if there are no weights, or values of variables are missing; `usage` if renames do not apply.
  func weights(
    called name: String, _ checkpoint: TensorFlowCheckpoint?, _ renames: VariableRenames
  ) throws(NetconvError) -> (
    weights: Weights, renamed: Set<String>, leftOut: [(name: String, role: CheckpointRole)]
  ) {
    if let checkpoint {
      var variables = try CheckpointVariables(checkpoint)
      let renamed = try variables.rename(renames.names, isStrict: renames.isStrict)
      return (try variables.layers(of: name), renamed, variables.others)
    }
    // Constants of a graph with variables are initial values, shapes and steps, not weights.
    if let variable = firstOpenVariable {
      throw NetconvError.variableWithoutValues.inLayer(variable.name)
    }
    var constants: [GraphConstant] = []
    var leftOut: [(name: String, role: CheckpointRole)] = []
    for node in graph.nodes.all where node.operation == "Const" {
      if CheckpointRole.isCounter(node.name), case .tensor = node.attributes["value"] {
        leftOut.append((node.name, .counter))
      }
      guard case .tensor(let tensor) = node.attributes["value"], let source = tensor.source,
        let type = tensor.type.element, !type.isInteger, source.count > 1
      else { continue }
      constants.append(
        GraphConstant(type: type, shape: tensor.shape, name: node.name, source: source))
    }
    let shapes = Dictionary(
      constants.map { ($0.path, $0.shape) }, uniquingKeysWith: { first, _ in first })
    constants.removeAll { constant in
      let isGradient = constant.path.hasPrefix("gradients/")
      let isSlot = CheckpointRole.isSlot(
        constant.path.scopeAndLast.scope, hasShape: { shapes[$0] == constant.shape })
      if isGradient || isSlot {
        leftOut.append((constant.path, isGradient ? .optimizer : .slot))
      }
      return isGradient || isSlot
    }
    guard !constants.isEmpty else { throw .noWeightsInGraph }
    let names = try GraphRenames(renames, of: constants.map { ($0.path, $0.path) })
    let weights = try Weights(
      name: name,
      scoped: constants.map { constant throws(NetconvError) in
        (names[constant.name ?? constant.path], try constant.stored(as: nil))
      })
    return (weights, names.renamed, leftOut)
  }
}

extension NetconvError {
  fileprivate static var noWeightsInGraph: NetconvError {
    NetconvError(.badData, "holds neither variables nor constants of several numbers")
  }
}
