import ModelIR

/// Where a model begins and ends in a graph.
struct GraphEnds {
  /// A tensor, and what users call it.
  struct End: Equatable {
    let tensor: String
    let name: String
  }

  /// What is fed; `nil` if all placeholders are that the outputs need.
  private(set) var inputs: [End]?
  private(set) var outputs: [End]
  /// Whether neither the file nor a user named the outputs.
  private(set) var isFound = false
  /// Losses and metrics that would be outputs too, if others were not; none unless the outputs were found.
  private(set) var measures: [String] = []

  /// The ends that a user, a signature or the graph itself names, in this order.
  ///
  /// - Throws: `usage` if a user names a node that there is not; `badData` if nothing says what the outputs are.
  init(
    of graph: GraphDefinition, feeding names: [String], _ selection: GraphSelection,
    _ signature: MetaGraph.Signature?
  ) throws(NetconvError) {
    if !names.isEmpty {
      inputs = try Self.ends(names, signature?.inputs ?? [], graph)
    } else if selection.outputs.isEmpty, let signature {
      inputs = Self.samples(of: signature, graph)
    }
    if !selection.outputs.isEmpty {
      outputs = try Self.ends(selection.outputs, signature?.outputs ?? [], graph)
    } else if let signature {
      outputs = signature.outputs.map { End(tensor: $0.tensor, name: $0.key) }
    } else {
      let found = try GraphSinks(graph, feeding: names).outputs()
      outputs = found.taken.map { End(tensor: $0, name: $0) }
      measures = found.measures
      isFound = true
    }
  }

  /// What a signature feeds samples to: a number such as the probability of dropout is none, where others are.
  private static func samples(
    of signature: MetaGraph.Signature, _ graph: GraphDefinition
  ) -> [End] {
    let ends = signature.inputs.map { End(tensor: $0.tensor, name: $0.key) }
    let samples = ends.filter { end in
      guard let node = graph.node(at: TensorName(end.tensor).node) else { return true }
      return !(node.attributes.statedShape?.dimensions ?? []).isEmpty
    }
    return samples.isEmpty ? ends : samples
  }

  private static func ends(
    _ names: [String], _ known: [(key: String, tensor: String)], _ graph: GraphDefinition
  ) throws(NetconvError) -> [End] {
    try names.map { name throws(NetconvError) in
      if let tensor = known.first(where: { $0.key == name })?.tensor {
        return End(tensor: tensor, name: name)
      }
      guard graph.node(at: TensorName(name).node) != nil else {
        let near = nearest(to: name, among: graph.nodes.all.map(\.name) + known.map(\.key))
        throw .noSuchNode(name, nearest: near)
      }
      return End(tensor: name, name: TensorName(name).node)
    }
  }
}
