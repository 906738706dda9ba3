import ModelIR

/// The inputs and outputs of a model within a graph.
struct GraphEnds {
  /// A tensor and its name for users.
  struct End: Equatable {
    let tensor: String
    let name: String
  }

  /// The inputs; `nil` for all placeholders that the outputs need.
  private(set) var inputs: [End]?
  private(set) var outputs: [End]
  /// True if neither the file nor the user names the outputs.
  private(set) var isFound = false
  /// Losses and metrics that were excluded from the outputs; empty unless the outputs were found by a search.
  private(set) var measures: [String] = []

  /// Selects the inputs and outputs that the user, a signature or the graph itself names, in this order of precedence.
  ///
  /// - Throws: `usage` if the user names an unknown node; `badData` if the outputs cannot be determined.
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

  /// The inputs of a signature that are samples; scalars such as a dropout probability are excluded if there are others.
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

extension NetconvError {
  fileprivate static func noSuchNode(_ name: String, nearest: String?) -> NetconvError {
    NetconvError(
      .usage,
      "the graph has no node \(quoted(name))"
        + (nearest.map { "; did you mean \(quoted($0))?" } ?? ""))
  }
}
