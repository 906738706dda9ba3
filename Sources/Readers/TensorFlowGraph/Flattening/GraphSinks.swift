import ModelIR

/// The nodes of a graph that nothing reads, of those that follow from what is fed.
struct GraphSinks {
  /// The names of nodes that a graph does not name as its outputs.
  struct Outputs {
    /// What is taken for the outputs.
    let taken: [String]
    /// Losses and metrics that nothing reads, and that are left out beside others.
    let measures: [String]
  }

  private let graph: GraphDefinition
  /// The nodes to which a user feeds samples; none if that is left to the graph.
  private let fed: Set<String>
  private var readers: [String: [GraphNode]] = [:]

  init(_ graph: GraphDefinition, feeding names: [String]) {
    self.graph = graph
    fed = Set(names.map { TensorName($0).node })
    for node in graph.nodes.all {
      for input in node.inputs { readers[TensorName(input).node, default: []].append(node) }
    }
  }

  /// The outputs: what nothing reads; where some of that are losses and metrics, also what nothing but these reads.
  ///
  /// - Throws: `badData` with nodes that are likely to be what is asked for, if the graph also trains.
  func outputs() throws(NetconvError) -> Outputs {
    let following = followingInputs()
    guard !following.isEmpty else { throw .noPlaceholders }
    let predictions = GraphPredictions(graph, inputs.union(placeholders), readers)
    if graph.nodes.all.contains(where: \.trains) {
      throw .outputsOfTraining(
        Array(predictions.names(among: following).prefix(12)))
    }
    let sinks = graph.nodes.all.filter { node in
      following.contains(node.name) && !node.hasSideEffect
        && readers[node.name, default: []].allSatisfy(\.hasSideEffect)
    }
    guard !sinks.isEmpty else { throw .noSinks }
    let measures = predictions.measures(among: sinks)
    let all = Outputs(taken: sinks.map(\.name), measures: [])
    guard !measures.isEmpty else { return all }
    let taken = Set(all.taken + predictions.names(among: following)).subtracting(measures)
    guard !taken.isEmpty else { return all }
    return Outputs(
      taken: graph.nodes.all.map(\.name).filter(taken.contains), measures: measures)
  }

  /// The nodes that samples are fed to.
  private var inputs: Set<String> { fed.isEmpty ? placeholders : fed }

  private var placeholders: Set<String> {
    Set(graph.nodes.all.filter { graph.isInput($0) }.map(\.name))
  }

  /// The nodes that depend on what is fed.
  private func followingInputs() -> Set<String> {
    Self.following(inputs, readers).subtracting(inputs)
  }

  /// Some nodes, and all that depend on them.
  static func following(
    _ names: Set<String>, _ readers: [String: [GraphNode]],
    where isFollowed: (GraphNode) -> Bool = { _ in true }
  ) -> Set<String> {
    var following: Set<String> = []
    var waiting = Array(names)
    while let name = waiting.popLast() {
      guard following.insert(name).inserted else { continue }
      waiting += readers[name, default: []].filter(isFollowed).map(\.name)
    }
    return following
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

extension GraphNode {
  /// Operations whose results nobody asks a model for.
  private static let sideEffects: Set = [
    "Assert", "Assign", "AssignAdd", "AssignAddVariableOp", "AssignSub", "AssignSubVariableOp",
    "AssignVariableOp", "AudioSummary", "HistogramSummary", "ImageSummary",
    "IsVariableInitialized", "MergeSummary", "MergeV2Checkpoints", "NoOp", "Print", "PrintV2",
    "RestoreV2", "Save", "SaveSlices", "SaveV2", "ScalarSummary", "ShardedFilename",
    "TensorSummary", "TensorSummaryV2", "VarIsInitializedOp",
  ]

  /// Whether the node is there for what it does, and not for a value.
  var hasSideEffect: Bool { Self.sideEffects.contains(operation) }

  /// Whether the node changes variables by their gradients.
  var trains: Bool {
    ["Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"].contains {
      operation.hasPrefix($0)
    }
  }
}
