import ModelIR
import Operators

/// Builds a model from a TensorFlow Lite graph.
struct TFLiteSource {
  /// An operator with its name and the names of its inputs and outputs.
  private struct Node: NamedGraphNode {
    let name: String
    let inputs: [String]
    let outputs: [String]
    let operation: TFLiteOperator
  }

  private let file: TFLiteModel
  private let graph: TFLiteSubgraph
  private let nodes: [Node]
  /// The tensors by name.
  private let tensors: [String: TFLiteTensor]

  /// Selects the first subgraph, which is the main one.
  init(_ file: TFLiteModel) {
    self.file = file
    graph = file.subgraphs[0]
    var names = TFLiteNames()
    let tensors = graph.tensors
    nodes = graph.operators.map { [graph] operation in
      Node(
        name: names.next(operation, in: graph),
        inputs: operation.inputs.map { $0.map { tensors[$0].name } ?? "" },
        outputs: operation.outputs.map { tensors[$0].name }, operation: operation)
    }
    self.tensors = Dictionary(tensors.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Builds the model between the selected inputs and outputs.
  ///
  /// Dynamic sizes remain dynamic. If the graph cannot be read that way, the static sizes in the file are used.
  /// - Throws: `badData` with all unsupported operators; `usage` if the selection names an unknown value.
  func model(
    called name: String, _ selection: GraphSelection
  ) throws(NetconvError) -> (model: Model, notes: [SourceNote]) {
    let feeds = try feeds(selection)
    let outputs = try outputs(selection)
    do throws(NetconvError) {
      return try model(called: name, feeds, outputs)
    } catch {
      let fixed = feeds.map(\.fixed)
      guard error.kind == .badData, feeds.contains(where: { $0.dimensions.contains(nil) }),
        let model = try? model(called: name, fixed, outputs)
      else { throw error }
      return model
    }
  }

  private func model(
    called name: String, _ feeds: [Feed], _ outputs: [(value: String, name: String)]
  ) throws(NetconvError) -> (model: Model, notes: [SourceNote]) {
    let needed = try (nodes as [any NamedGraphNode]).needed(
      for: outputs.map(\.value), stoppingAt: Set(feeds.map(\.value)))
    // Inputs that the outputs do not depend on are omitted.
    let used = Set(outputs.map(\.value) + needed.flatMap { nodes[$0].inputs })
    let feeds = feeds.filter { used.contains($0.value) }
    guard !feeds.isEmpty else { throw .constantOutput(outputs.first?.name ?? "") }
    return try GraphBuilder.read(feeds.map(\.dimensions)) { isWhole throws(NetconvError) in
      try model(called: name, feeds, outputs, needed, isWhole: isWhole)
    }
  }

  private func model(
    called name: String, _ feeds: [Feed], _ outputs: [(value: String, name: String)],
    _ needed: [Int], isWhole: Bool
  ) throws(NetconvError) -> (model: Model, notes: [SourceNote]) {
    var builder = GraphBuilder(
      batchSize: isWhole
        ? nil : try GraphBuilder.batchSize(of: feeds.compactMap { $0.dimensions.first }))
    var values = constants()
    for feed in feeds {
      let input = try builder.input(
        feed.name, feed.dimensions, hasBatch: !isWhole, node: feed.name, operation: "input")
      values[feed.value] = .value(try quantized(input, feed, &builder))
    }
    for index in needed { map(nodes[index], &values, &builder) }
    return try builder.model(
      called: name, giving: outputs.map { ($0.name, values[$0.value]) }
    ) { _, _ throws(NetconvError) in nil }
  }

  /// Quantises an input whose tensor has integers: it is fed the numbers that they stand for.
  private func quantized(
    _ input: GraphValue, _ feed: Feed, _ builder: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    guard let tensor = tensors[feed.value], tensor.isQuantized else { return input }
    do throws(NetconvError) {
      return try builder.quantize(input, to: tensor.valueQuantization(), as: feed.name)
    } catch {
      throw error.inNode(feed.name, "input")
    }
  }

  // MARK: - Ends

  /// An input of the model.
  private struct Feed {
    let value: String
    /// The name of the input in the model.
    let name: String
    /// The sizes, including the batch; `nil` for dynamic sizes.
    let dimensions: [Int?]
    /// The static sizes in the file.
    let shape: [Int]

    var fixed: Feed {
      Feed(
        value: value, name: name, dimensions: zip(dimensions, shape).map { $0 ?? $1 },
        shape: shape)
    }
  }

  /// Finds a tensor by its name, or by its name in the signature.
  private func tensor(
    _ name: String, among ends: [TFLiteSubgraph.End]
  ) throws(NetconvError) -> TFLiteTensor {
    if let end = ends.first(where: { $0.name == name }) { return graph.tensors[end.tensor] }
    guard let tensor = tensors[name] else {
      throw .noSuchValue(
        name, nearest: nearest(to: name, among: ends.map(\.name) + graph.tensors.map(\.name)))
    }
    return tensor
  }

  /// The selected inputs, or those of the file by default.
  private func feeds(_ selection: GraphSelection) throws(NetconvError) -> [Feed] {
    var feeds: [Feed] = []
    for text in selection.inputs {
      let input = try GraphInputName(text)
      let tensor = try tensor(input.name, among: graph.inputs)
      feeds.append(
        Feed(
          value: tensor.name, name: input.name,
          dimensions: input.shape?.dimensions ?? tensor.dimensions, shape: tensor.shape))
    }
    if feeds.isEmpty {
      feeds = graph.inputs.map { end in
        let tensor = graph.tensors[end.tensor]
        return Feed(
          value: tensor.name, name: end.name, dimensions: tensor.dimensions, shape: tensor.shape)
      }
    }
    guard !feeds.isEmpty else { throw .noPlaceholders }
    for feed in feeds {
      guard let type = tensors[feed.value]?.type, type.element == nil else { continue }
      throw NetconvError.unreadType(type.name).inNode(feed.name, "input")
    }
    return feeds
  }

  /// The selected outputs, or those of the file by default.
  private func outputs(
    _ selection: GraphSelection
  ) throws(NetconvError) -> [(value: String, name: String)] {
    guard !selection.outputs.isEmpty else {
      return graph.outputs.map { (graph.tensors[$0.tensor].name, $0.name) }
    }
    return try selection.outputs.map { name throws(NetconvError) in
      (try tensor(name, among: graph.outputs).name, name)
    }
  }

  // MARK: - Nodes

  /// The values that no operator produces: constants, and tensors that cannot be read.
  private func constants() -> [String: GraphResult] {
    var values: [String: GraphResult] = [:]
    for tensor in graph.tensors {
      do throws(NetconvError) {
        if let problem = tensor.problem { throw problem }
        if file.hasValues(tensor), let element = tensor.type.element {
          values[tensor.name] = .constant(
            GraphConstant(
              type: tensor.isQuantized ? .float32 : element, shape: tensor.shape,
              name: tensor.name, source: try file.numbers(of: tensor)))
        } else if tensor.isVariable {
          throw .readsTFLiteVariable
        }
      } catch {
        values[tensor.name] = .problem(GraphProblem(error.inTensor(tensor.name)))
      }
    }
    return values
  }

  private func map(
    _ node: Node, _ values: inout [String: GraphResult], _ builder: inout GraphBuilder
  ) {
    let operation = node.operation
    let inputs = node.inputs.enumerated().map { place, input -> GraphResult? in
      if input.isEmpty || TFLiteRecurrence.isState(place, of: operation, tensors[input]) {
        return nil
      }
      return values[input]
        ?? .problem(
          GraphProblem(NetconvError.unknownValue(input).inNode(node.name, operation.name)))
    }
    let mapped = MappedTFLiteNode(
      name: node.name, node: operation, inputs: inputs,
      inputTensors: node.inputs.map { tensors[$0] }, outputTensors: node.outputs.map { tensors[$0] }
    )
    _ = builder.map(node, called: node.name, operation.name, reading: inputs, into: &values) {
      builder throws(NetconvError) in try mapped.results(&builder)
    }
  }
}

extension NetconvError {
  fileprivate static var readsTFLiteVariable: NetconvError {
    NetconvError(.badData, "keeps its values from one run to the next, which is not read")
  }
}
