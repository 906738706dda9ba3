import ModelIR

/// Finds the likely outputs of a network in a training graph: values that are read only by training, metrics and
/// losses.
struct GraphPredictions {
  /// Operations of layers with weights: samples pass through them, labels do not.
  private static let layers: Set = [
    "BatchMatMul", "BatchMatMulV2", "Conv1D", "Conv2D", "Conv2DBackpropInput", "Conv3D",
    "DepthwiseConv2dNative", "Einsum", "GatherV2", "MatMul", "ResourceGather",
    "SparseTensorDenseMatMul",
  ]

  /// Losses and metrics, whatever reads them.
  private static let measures: Set = [
    "ArgMax", "ArgMin", "CTCLoss", "Equal", "InTopK", "InTopKV2", "L2Loss", "NotEqual",
    "SigmoidCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits",
    "SparseSoftmaxCrossEntropyWithLogits", "SquaredDifference", "TopK", "TopKV2",
  ]

  /// Intermediate operations of losses and metrics, unless something else reads them.
  private static let steps: Set = [
    "Abs", "All", "Any", "Cast", "ClipByValue", "ConcatV2", "Exp", "ExpandDims", "Floor",
    "Greater", "GreaterEqual", "Identity", "Less", "LessEqual", "Log", "Log1p", "LogicalAnd",
    "LogicalNot", "LogicalOr", "Max", "Maximum", "Mean", "Min", "Minimum", "Mul", "Neg", "Pack",
    "Pow", "Prod", "RealDiv", "Reshape", "Rint", "Round", "Select", "SelectV2", "Shape", "Sign",
    "Slice", "Sqrt", "Square", "Squeeze", "StopGradient", "StridedSlice", "Sub", "Sum", "ZerosLike",
  ]

  /// Operations that may also be the last of a network, if their name is not TensorFlow's default.
  private static let passing: Set = ["Cast", "Exp", "Identity", "Reshape", "Squeeze"]

  /// Typical last operations of a classifier.
  private static let probabilities: Set = ["LogSoftmax", "Sigmoid", "Softmax"]

  private let graph: GraphDefinition
  private let inputs: Set<String>
  private let readers: [String: [GraphNode]]

  /// - Parameters:
  ///   - inputs: the nodes that are fed samples, labels or both.
  ///   - readers: the readers of each node.
  init(_ graph: GraphDefinition, _ inputs: Set<String>, _ readers: [String: [GraphNode]]) {
    self.graph = graph
    self.inputs = inputs
    self.readers = readers
  }

  /// The names of the candidates, the most likely first.
  ///
  /// - Parameter following: the nodes that depend on the inputs.
  func names(among following: Set<String>) -> [String] {
    let measuring = measuringNodes(following)
    let samples = GraphSinks.following(self.samples, readers)
    let found = graph.nodes.all.enumerated().filter { _, node in
      samples.contains(node.name) && following.contains(node.name)
        && !measuring.contains(node.name) && !Self.isSilent(node)
        && forward(node).allSatisfy { measuring.contains($0.name) || Self.isSilent($0) }
    }
    // Later nodes depend on more of the network.
    let likely = found.sorted {
      let first = Self.probabilities.contains($0.element.operation)
      let second = Self.probabilities.contains($1.element.operation)
      return first == second ? $0.offset > $1.offset : first
    }
    return likely.map(\.element.name)
  }

  /// The names of `sinks` that are losses or metrics, if one of them is a scalar for all samples; otherwise empty.
  func measures(among sinks: [GraphNode]) -> [String] {
    // Labels may be factors, as masks are. The difference of a value and a label is a prediction error.
    let labels = inputs.subtracting(samples)
    let errors = graph.nodes.all.filter { node in
      Self.measures.contains(node.operation)
        || node.operation == "Sub" && node.inputs.contains { labels.contains(TensorName($0).node) }
    }
    let measuring = GraphSinks.following(Set(errors.map(\.name)), readers)
    let means = graph.nodes.all.filter { measuring.contains($0.name) && isOverBatch($0) }
    let numbers = GraphSinks.following(Set(means.map(\.name)), readers)
    guard sinks.contains(where: { numbers.contains($0.name) }) else { return [] }
    return sinks.filter { numbers.contains($0.name) || Self.measures.contains($0.operation) }
      .map(\.name)
  }

  /// The inputs of layers; all inputs if there are no layers.
  private var samples: Set<String> {
    let found = inputs.filter { input in
      GraphSinks.following([input], readers) { !Self.isSilent($0) }.contains {
        graph.nodes[$0].map { Self.layers.contains($0.operation) } ?? false
      }
    }
    return found.isEmpty ? inputs : found
  }

  /// The nodes of losses and metrics: those that depend on labels or on such nodes, and steps that only they read.
  private func measuringNodes(_ following: Set<String>) -> Set<String> {
    let labels = inputs.subtracting(samples)
    let measures = graph.nodes.all.filter { Self.measures.contains($0.operation) }.map(\.name)
    var measuring = GraphSinks.following(labels.union(measures), readers) { !Self.isSilent($0) }
    // In most files, readers follow what they read; a second pass finds the others.
    for _ in 0..<2 {
      for node in graph.nodes.all.reversed() where following.contains(node.name) {
        guard !measuring.contains(node.name) else { continue }
        if forward(node).isEmpty ? endsInTraining(node) : leads(node, to: measuring) {
          measuring.insert(node.name)
        }
      }
    }
    return measuring
  }

  /// True if a node is an intermediate operation that only losses and metrics read.
  private func leads(_ node: GraphNode, to measuring: Set<String>) -> Bool {
    Self.steps.contains(node.operation)
      && !(Self.passing.contains(node.operation) && Self.isNamed(node))
      && forward(node).allSatisfy { measuring.contains($0.name) }
  }

  /// True if a node that nothing else depends on is a loss, a metric or the next value of a variable.
  private func endsInTraining(_ node: GraphNode) -> Bool {
    guard !Self.probabilities.contains(node.operation) else { return false }
    let readers = readers[node.name, default: []]
    return readers.contains { Self.isTraining($0) || $0.operation == "ScalarSummary" }
      || isOverBatch(node)
  }

  /// The readers of a node on the path from samples to results.
  private func forward(_ node: GraphNode) -> [GraphNode] {
    readers[node.name, default: []].filter { !Self.isSilent($0) }
  }

  /// True if a node has no useful result: it is a part of training, or writes data.
  private static func isSilent(_ node: GraphNode) -> Bool {
    node.hasSideEffect || isTraining(node)
  }

  private static func isTraining(_ node: GraphNode) -> Bool {
    node.trains || node.operation.hasPrefix("Assign")
      || node.name.split(separator: "/").contains {
        $0.isNumbered("gradients") || $0.hasSuffix("_grad")
      }
  }

  /// True if the name of a node is not TensorFlow's default.
  private static func isNamed(_ node: GraphNode) -> Bool {
    guard let last = node.name.split(separator: "/").last else { return false }
    return !last.isNumbered(node.operation)
  }

  /// True if a node reduces over the batch, as losses do.
  private func isOverBatch(_ node: GraphNode) -> Bool {
    guard ["Mean", "Sum", "Max", "Min", "All", "Any", "Prod"].contains(node.operation) else {
      return false
    }
    guard node.inputs.count > 1,
      case .tensor(let axes) = graph.nodes[TensorName(node.inputs[1]).node]?.attributes["value"],
      let numbers = try? axes.numbers(limit: 64)
    else { return true }
    return numbers.contains(0)
  }
}

extension Substring {
  /// True if the text is a word, optionally followed by an underscore and a number.
  fileprivate func isNumbered(_ word: String) -> Bool {
    guard lowercased().hasPrefix(word.lowercased()) else { return false }
    let rest = dropFirst(word.count)
    return rest.isEmpty || rest.first == "_" && rest.dropFirst().allSatisfy(\.isNumber)
  }
}
