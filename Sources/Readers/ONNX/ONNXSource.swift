import ModelIR
import Operators

/// Builds a model from an ONNX graph.
struct ONNXSource {
  private let graph: ONNXGraph

  /// Prepares the graph of a file.
  ///
  /// - Throws: `badData` if a function of the file calls itself, or is too large.
  init(_ file: ONNXModel) throws(NetconvError) {
    graph = try file.graph.expanded(file.functions, file.opsets)
  }

  /// Prepares a graph that another format is translated into.
  init(_ graph: ONNXGraph) { self.graph = graph }

  /// The model between the selected inputs and outputs.
  ///
  /// - Throws: `badData` with every unsupported node; `usage` if the selection names an unknown value.
  func model(
    called name: String, _ selection: GraphSelection
  ) throws(NetconvError) -> (model: Model, notes: [SourceNote]) {
    var feeds = try feeds(selection)
    let outputs = selection.outputs.isEmpty ? graph.outputs.map(\.name) : selection.outputs
    let known = Set(allNames + graph.initializers.map(\.name))
    if let missing = outputs.first(where: { !known.contains($0) }) {
      throw .noSuchValue(missing, nearest: nearest(to: missing, among: allNames))
    }
    let needed = try (graph.nodes as [any NamedGraphNode]).needed(
      for: outputs, stoppingAt: Set(feeds.map(\.name)))
    // Inputs that these outputs do not need are none of the model's.
    let used = Set(outputs + needed.flatMap { graph.nodes[$0].dependencies })
    feeds.removeAll { !used.contains($0.name) }
    guard !feeds.isEmpty else { throw .constantOutput(outputs.first ?? "") }
    do throws(NetconvError) {
      return try GraphBuilder.read(feeds.map(\.dimensions)) { isWhole throws(NetconvError) in
        try model(called: name, feeds, outputs, needed, isWhole: isWhole)
      }
    } catch {
      let single = feeds.compactMap(\.withBatchOfOne)
      guard single.count == feeds.count,
        (try? model(called: name, single, outputs, needed, isWhole: false)) != nil
      else { throw error }
      throw error.readWithBatchOfOne(single.map { ($0.name, $0.dimensions) })
    }
  }

  /// Builds the model from the needed nodes; its inputs are samples, or whole batches that are treated as one sample.
  private func model(
    called name: String, _ feeds: [Feed], _ outputs: [String], _ needed: [Int], isWhole: Bool
  ) throws(NetconvError) -> (model: Model, notes: [SourceNote]) {
    var builder = GraphBuilder(
      batchSize: isWhole
        ? nil : try GraphBuilder.batchSize(of: feeds.compactMap { $0.dimensions.first }))
    var values = Values()
    values.add(graph.initializers)
    for feed in feeds {
      values.results[feed.name] = .value(
        try builder.input(
          feed.name, feed.dimensions, hasBatch: !isWhole, node: feed.name, operation: "input"))
      values.types[feed.name] = feed.type
    }
    for index in needed { map(graph.nodes[index], &values, &builder) }
    return try builder.model(called: name, giving: outputs.map { ($0, values.results[$0]) }) {
      variables, _ throws(NetconvError) in Self.variable(among: variables)
    }
  }

  // MARK: - Inputs and outputs

  /// An input of the model.
  private struct Feed {
    let name: String
    /// The shape, batch included.
    let dimensions: [Int?]
    let type: GraphElement?

    /// The input with a batch of 1; `nil` if the batch has another size.
    var withBatchOfOne: Feed? {
      guard case .some(nil) = dimensions.first else { return nil }
      return Feed(name: name, dimensions: [1] + dimensions.dropFirst(), type: type)
    }
  }

  private var allNames: [String] {
    graph.inputs.map(\.name) + graph.nodes.flatMap(\.outputs).filter { !$0.isEmpty }
  }

  /// The inputs that are not initializers, or those that the user names.
  private func feeds(_ selection: GraphSelection) throws(NetconvError) -> [Feed] {
    let constants = Set(graph.initializers.map(\.name))
    var infos: [String: ONNXValueInfo] = [:]
    for info in graph.values + graph.outputs + graph.inputs { infos[info.name] = info }
    var named: [(name: String, shape: [Int?]?)] = []
    for text in selection.inputs {
      let input = try GraphInputName(text)
      guard allNames.contains(input.name) else {
        throw .noSuchValue(input.name, nearest: nearest(to: input.name, among: allNames))
      }
      named.append((input.name, input.shape?.dimensions))
    }
    if named.isEmpty {
      named = graph.inputs.map(\.name).filter { !constants.contains($0) }.map { ($0, nil) }
    }
    guard !named.isEmpty else { throw .noPlaceholders }
    return try named.map { name, shape throws(NetconvError) in
      guard let dimensions = shape ?? infos[name]?.dimensions else {
        throw NetconvError.inputWithoutShape.inNode(name, "input")
      }
      let type = infos[name]?.type
      if let type, type.rawValue != 0, type.element == nil {
        throw NetconvError.unreadType(type.name).inNode(name, "input")
      }
      return Feed(name: name, dimensions: dimensions, type: type?.element)
    }
  }

  // MARK: - Nodes

  /// The values of the graph so far, by name.
  private struct Values {
    var results: [String: GraphResult] = [:]
    /// The element types, as far as they are known.
    var types: [String: GraphElement] = [:]

    mutating func add(_ initializers: [(name: String, tensor: ONNXTensor)]) {
      for (name, tensor) in initializers {
        types[name] = tensor.type.element
        do throws(NetconvError) {
          results[name] = .constant(try tensor.constant(named: name))
        } catch {
          results[name] = .problem(GraphProblem(error.inTensor(name)))
        }
      }
    }
  }

  private func map(_ node: ONNXNode, _ values: inout Values, _ builder: inout GraphBuilder) {
    if node.domain.isEmpty, node.operation == "If", let branch = branch(of: node, values) {
      return map(branch, of: node, &values, &builder)
    }
    let name = Self.scoped(node.name)
    let inputs = node.inputs.map { input -> GraphResult? in
      if input.isEmpty { return nil }
      return values.results[input]
        ?? .problem(GraphProblem(NetconvError.unknownValue(input).inNode(name, node.operation)))
    }
    let mapped = MappedONNXNode(
      node: node, inputs: inputs, types: node.inputs.map { values.types[$0] })
    let results = builder.map(
      node, called: name, node.operation, reading: inputs, into: &values.results
    ) { builder throws(NetconvError) in
      if let refusal = node.refusal { throw refusal }
      guard let operation = ONNXOperations.operation(of: node) else {
        guard node.domain.isEmpty || node.domain == "com.microsoft" else {
          throw .unreadDomain(node.domain)
        }
        throw .unknownOperation(node.operation, reading: node.inputs.filter { !$0.isEmpty })
      }
      try mapped.checkIntegers()
      return try operation.results(of: mapped, &builder)
    }
    for (output, result) in zip(node.outputs, results) where !output.isEmpty {
      values.types[output] = mapped.type(of: result)
    }
  }

  /// The branch that a conditional always takes; `nil` if its condition is not constant.
  private func branch(of node: ONNXNode, _ values: Values) -> ONNXGraph? {
    guard case .constant(let condition)? = node.inputs.first.flatMap({ values.results[$0] }),
      let number = try? condition.scalar(),
      case .graph(let branch) = node.attributes[number == 0 ? "else_branch" : "then_branch"]
    else { return nil }
    return branch
  }

  /// Maps the nodes of a branch; the conditional's outputs are those of the branch.
  private func map(
    _ branch: ONNXGraph, of node: ONNXNode, _ values: inout Values, _ builder: inout GraphBuilder
  ) {
    let body = branch.scoped(by: node.scope(values.results.count))
    values.add(body.initializers)
    for inner in body.nodes { map(inner.inside(node), &values, &builder) }
    for (index, output) in node.outputs.enumerated() where !output.isEmpty {
      guard index < body.outputs.count else {
        values.results[output] = .problem(
          GraphProblem(NetconvError.noSuchOutput(index).inNode(node.name, node.operation)))
        continue
      }
      let result = body.outputs[index].name
      values.results[output] =
        values.results[result]
        ?? .problem(
          GraphProblem(NetconvError.unknownValue(result).inNode(node.name, node.operation)))
      values.types[output] = values.types[result]
    }
  }

  /// The name of a node, with its PyTorch module named as in the state dictionary.
  ///
  /// PyTorch's exporter writes `/layer1/layer1.0/conv1/Conv` for the module `layer1.0.conv1`.
  private static func scoped(_ name: String) -> String {
    guard name.hasPrefix("/") else { return name }
    var modules: [Substring] = []
    let parts = name.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for part in parts.dropLast() {
      if let last = modules.last, part.hasPrefix(last + ".") { modules.removeLast() }
      modules.append(part)
    }
    let scope = modules.joined(separator: ".")
    return scope.isEmpty ? String(parts[parts.count - 1]) : "\(scope)/\(parts[parts.count - 1])"
  }

  /// The initializer after which a layer is named; its scope ends with a slash.
  ///
  /// PyTorch exporters name computed initializers like `onnx::Conv_12`, which is not informative.
  private static func variable(among names: [String]) -> String? {
    let telling = names.filter { !$0.hasPrefix("onnx::") && !$0.isEmpty }
    guard let name = telling.min() else { return nil }
    if name.contains("/") { return name }
    let (scope, last) = name.splitAtLast(".")
    return scope.isEmpty ? nil : "\(scope)/\(last)"
  }
}

extension NetconvError {
  /// The error with the inputs with which the graph is read.
  fileprivate func readWithBatchOfOne(_ inputs: [(name: String, sizes: [Int?])]) -> NetconvError {
    var error = self
    let values = inputs.map { name, sizes in
      "\(escaped(name))=\(sizes.map { $0.map(String.init) ?? "?" }.joined(separator: "x"))"
    }
    error.list.append(
      "a batch of 1 is read, so that each sample is computed by itself; state it with \(.graphInput), such as \(values.joined(separator: ", "))"
    )
    return error
  }

  fileprivate static func unreadDomain(_ domain: String) -> NetconvError {
    NetconvError(
      .badData,
      domain.hasPrefix("ai.onnx.ml")
        ? "ai.onnx.ml holds trees, scalers and the like, which are no neural networks, and is not read"
        : "the operator set \(quoted(domain)) is not read")
  }
}
