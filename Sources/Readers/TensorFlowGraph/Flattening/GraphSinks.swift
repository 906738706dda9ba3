import ModelIR

/// Finds the nodes that depend on the inputs and that nothing reads.
struct GraphSinks {
  /// The outputs of a graph that does not name them.
  struct Outputs {
    /// The nodes that are used as outputs.
    let taken: [String]
    /// Losses and metrics that nothing reads, excluded because there are other outputs.
    let measures: [String]
  }

  private let graph: GraphDefinition
  /// The nodes that a user feeds samples to; empty if the graph determines them.
  private let fed: Set<String>
  private var readers: [String: [GraphNode]] = [:]

  init(_ graph: GraphDefinition, feeding names: [String]) {
    self.graph = graph
    fed = Set(names.map { TensorName($0).node })
    for node in graph.nodes.all {
      for input in node.inputs { readers[TensorName(input).node, default: []].append(node) }
    }
  }

  /// The outputs: nodes that nothing reads; if some are losses and metrics, also nodes that only those read.
  ///
  /// - Throws: `badData` with the likely outputs, if it is a training graph.
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

  /// The nodes that are fed samples.
  private var inputs: Set<String> { fed.isEmpty ? placeholders : fed }

  private var placeholders: Set<String> {
    Set(graph.nodes.all.filter { graph.isInput($0) }.map(\.name))
  }

  /// The nodes that depend on the inputs.
  private func followingInputs() -> Set<String> {
    Self.following(inputs, readers).subtracting(inputs)
  }

  /// The given nodes and all that depend on them.
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
  /// True if a node is fed samples: its shape has axes.
  func isInput(_ node: GraphNode) -> Bool {
    guard ["Placeholder", "PlaceholderV2", "PlaceholderWithDefault"].contains(node.operation),
      let axes = node.attributes.statedShape?.dimensions, !axes.isEmpty
    else { return false }
    guard node.operation == "PlaceholderWithDefault" else { return true }
    // A default value of fixed shape is a setting; a computed one is passed through.
    guard axes.contains(nil), let input = node.inputs.first else { return false }
    return nodes[TensorName(input).node]?.operation == "Const"
  }
}

extension GraphNode {
  /// Operations whose results are not outputs of a model.
  private static let sideEffects: Set = [
    "Assert", "Assign", "AssignAdd", "AssignAddVariableOp", "AssignSub", "AssignSubVariableOp",
    "AssignVariableOp", "AudioSummary", "HistogramSummary", "ImageSummary",
    "IsVariableInitialized", "MergeSummary", "MergeV2Checkpoints", "NoOp", "Print", "PrintV2",
    "RestoreV2", "Save", "SaveSlices", "SaveV2", "ScalarSummary", "ShardedFilename",
    "TensorSummary", "TensorSummaryV2", "VarIsInitializedOp",
  ]

  /// True if the node is used for its side effect, not its value.
  var hasSideEffect: Bool { Self.sideEffects.contains(operation) }

  /// True if the node updates variables by gradients.
  var trains: Bool {
    ["Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"].contains {
      operation.hasPrefix($0)
    }
  }
}

extension NetconvError {
  fileprivate static var noSinks: NetconvError {
    NetconvError(
      .badData,
      text: "no node is an output that nothing reads; name the outputs with \(.graphOutput)")
  }

  fileprivate static func outputsOfTraining(_ likely: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the graph also trains, so that it does not show what its outputs are; name them with \(.graphOutput)",
      list: likely.map { Message(text: "perhaps \(quoted($0))") })
  }
}
