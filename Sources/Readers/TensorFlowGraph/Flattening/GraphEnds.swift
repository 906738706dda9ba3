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
      outputs = try GraphSinks(graph).outputs().map { End(tensor: $0, name: $0) }
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

/// The nodes of a graph that nothing reads, of those that follow from what is fed.
struct GraphSinks {
  /// Operations whose results nobody asks a model for.
  private static let sideEffects: Set = [
    "Assert", "Assign", "AssignAdd", "AssignAddVariableOp", "AssignSub", "AssignSubVariableOp",
    "AssignVariableOp", "AudioSummary", "HistogramSummary", "ImageSummary",
    "IsVariableInitialized", "MergeSummary", "MergeV2Checkpoints", "NoOp", "Print", "PrintV2",
    "RestoreV2", "Save", "SaveSlices", "SaveV2", "ScalarSummary", "ShardedFilename",
    "TensorSummary", "TensorSummaryV2", "VarIsInitializedOp",
  ]

  /// What a classifier or a regression may end with.
  private static let likely: Set = [
    "Add", "AddV2", "BiasAdd", "MatMul", "Sigmoid", "Softmax", "Tanh",
  ]

  private let graph: GraphDefinition
  private var readers: [String: [GraphNode]] = [:]

  init(_ graph: GraphDefinition) {
    self.graph = graph
    for node in graph.nodes.all {
      for input in node.inputs { readers[TensorName(input).node, default: []].append(node) }
    }
  }

  /// The outputs.
  ///
  /// - Throws: `badData` with nodes that are likely to be what is asked for, if the graph also trains.
  func outputs() throws(NetconvError) -> [String] {
    let following = followingInputs()
    guard !following.isEmpty else { throw .noPlaceholders }
    if graph.nodes.all.contains(where: Self.trains) {
      let names = graph.nodes.all.filter {
        Self.likely.contains($0.operation) && following.contains($0.name)
          && !$0.name.hasPrefix("gradients") && readers[$0.name, default: []].count != 1
      }.map(\.name)
      throw .outputsOfTraining(Array(names.suffix(12)))
    }
    let sinks = graph.nodes.all.filter { node in
      following.contains(node.name) && !Self.sideEffects.contains(node.operation)
        && readers[node.name, default: []].allSatisfy { Self.sideEffects.contains($0.operation) }
    }
    guard !sinks.isEmpty else { throw .noSinks }
    return sinks.map(\.name)
  }

  private static func trains(_ node: GraphNode) -> Bool {
    ["Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"].contains {
      node.operation.hasPrefix($0)
    }
  }

  /// The nodes that depend on placeholders.
  private func followingInputs() -> Set<String> {
    var following: Set<String> = []
    var waiting = graph.nodes.all.filter { graph.isInput($0) }.map(\.name)
    while let name = waiting.popLast() {
      guard following.insert(name).inserted else { continue }
      waiting += readers[name, default: []].map(\.name)
    }
    return following.subtracting(graph.nodes.all.filter { graph.isInput($0) }.map(\.name))
  }
}

extension GraphDefinition {
  /// Whether samples are fed to a node: it states axes.
  func isInput(_ node: GraphNode) -> Bool {
    guard ["Placeholder", "PlaceholderV2", "PlaceholderWithDefault"].contains(node.operation),
      let axes = node.attributes.statedShape?.dimensions, !axes.isEmpty
    else { return false }
    guard node.operation == "PlaceholderWithDefault" else { return true }
    // A default of fixed sizes is a setting, and one that is computed goes through.
    guard axes.contains(nil), let input = node.inputs.first else { return false }
    return nodes[TensorName(input).node]?.operation == "Const"
  }
}
