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
    let names = try GraphRenames(renames, of: constants.map { ($0.path, $0.path) })
    let weights = try Weights(
      name: name,
      scoped: constants.map { constant throws(NetconvError) in
        (names[constant.name ?? constant.path], try constant.stored(as: nil))
      })
    return (weights, names.renamed)
  }
}
