import ModelIR
import Operators

/// Goes through a graph from its inputs to its outputs, and drafts a layer for whatever could be one.
struct GraphMapper {
  /// What is drafted so far; layers read drafts with smaller numbers.
  private(set) var drafts: [GraphDraft] = []
  /// The results of every node that was met.
  private var results: [[GraphResult]] = []
  /// The size that the batch has in every input, which constants repeat; `nil` if it is open.
  private(set) var batchSize: Int?
  /// The inputs, in the order of ``inputNames``.
  private(set) var inputs: [ModelInput] = []
  /// What was read otherwise than it stands in the graph.
  private(set) var notes = GraphNotes()
  /// The tables that layers read so far, by what holds them and how.
  var tables: [String: Int] = [:]
  private var foldedCount = 0
  private static let foldedLimit = 1 << 26
  /// The nodes that were met.
  private let names: [(name: String, operation: String)]
  /// The node that is being mapped.
  private var current = ""
  private var currentOperation = ""

  /// Maps the nodes of `graph`.
  ///
  /// - Parameters:
  ///   - graph: each node after those that it reads.
  ///   - feeds: the names of the model's inputs by the nodes that are fed.
  ///   - variables: values by the node that stands for a variable.
  init(
    _ graph: FlatGraph, feeding feeds: [(node: String, name: String)],
    variables: [String: GraphConstant]
  ) throws(NetconvError) {
    names = graph.nodes.map { ($0.name, $0.operation) }
    let fedNames = Dictionary(
      feeds.map { ($0.node, $0.name) }, uniquingKeysWith: { first, _ in first })
    let fed = graph.nodes.filter { fedNames[$0.name] != nil }
    batchSize = try Self.batchSize(of: fed)
    for flag in graph.assumedFlags { notes.add(.flag, flag) }
    for node in graph.nodes {
      (current, currentOperation) = (node.name, node.operation)
      if let name = fedNames[node.name] {
        results.append([.value(try input(node, called: name))])
      } else {
        results.append(map(node, variables))
      }
    }
    let order = feeds.map(\.name)
    inputs.sort { (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0) }
  }

  /// What an output of a node is.
  func result(_ reference: FlatGraph.Reference) -> GraphResult {
    let outputs = results[reference.node]
    if outputs.count == 1, case .problem = outputs[0] { return outputs[0] }
    return outputs.indices.contains(reference.output)
      ? outputs[reference.output]
      : .problem(
        GraphProblem(
          .noSuchOutput(reference.output).inNode(
            names[reference.node].name, names[reference.node].operation)))
  }

  private mutating func map(
    _ node: FlatGraph.Node, _ variables: [String: GraphConstant]
  ) -> [GraphResult] {
    if let constant = variables[node.name] { return [.constant(constant)] }
    let inputs = node.inputs.map(result)
    let mapped = MappedNode(
      name: node.name, operation: node.operation, inputs: inputs, attributes: node.attributes)
    // Dropout goes away, whatever shape its random numbers have.
    if GraphDropout.isSource(node.operation) { return [.random(GraphRandom(stage: .numbers))] }
    do throws(NetconvError) {
      let problems = inputs.compactMap { input in
        if case .problem(let problem) = input { problem } else { nil }
      }
      guard problems.isEmpty else { return [.problem(GraphProblem(joining: problems))] }
      if let results = try GraphDropout.results(of: mapped, &self) { return results }
      if let results = try repeatedTable(mapped) { return results }
      if let folded = try ConstantFolding.results(of: mapped) {
        try count(folded)
        return folded
      }
      guard let operation = GraphOperations.operation(named: node.operation) else {
        throw .unknownOperation(node.operation, reading: node.inputs.map { names[$0.node].name })
      }
      try WholeNumberArithmetic.check(mapped)
      return try operation.results(of: mapped, &self)
    } catch {
      return [.problem(GraphProblem(error.inNode(node.name, node.operation)))]
    }
  }

  /// The size of the first axis of all inputs.
  ///
  /// - Throws: `badData` if inputs differ in it.
  private static func batchSize(of fed: [FlatGraph.Node]) throws(NetconvError) -> Int? {
    var sizes: Set<Int?> = []
    for node in fed {
      guard let first = node.attributes.statedShape?.dimensions?.first else { continue }
      sizes.insert(first)
    }
    guard sizes.count <= 1 || sizes.subtracting([nil]).isSubset(of: [1]) else {
      throw .inputsOfBatches(sizes.compactMap(\.self).sorted())
    }
    return sizes.count == 1 ? sizes.first ?? nil : nil
  }

  /// Counts numbers that were computed, of which a graph has no more than its weights.
  private mutating func count(_ folded: [GraphResult]) throws(NetconvError) {
    for case .constant(let constant) in folded where constant.name == nil {
      foldedCount += constant.count
    }
    guard foldedCount <= Self.foldedLimit else {
      throw .tooManyNumbers(foldedCount, limit: Self.foldedLimit)
    }
  }

  private mutating func input(
    _ node: FlatGraph.Node, called name: String
  ) throws(NetconvError) -> GraphValue {
    guard let dimensions = node.attributes.statedShape?.dimensions else {
      throw NetconvError.inputWithoutShape.inNode(node.name, node.operation)
    }
    guard let batch = dimensions.first else {
      throw NetconvError.inputWithoutBatch.inNode(node.name, node.operation)
    }
    if batch ?? 1 != 1 { notes.add(.batch, node.name) }
    let own = Shape(Array(dimensions.dropFirst()))
    inputs.append(ModelInput(name: name, shape: own))
    return add(
      GraphDraft(node: node.name, operation: node.operation, shape: own, content: .input(name)))
  }

  private mutating func add(_ draft: GraphDraft, merged: Int = 0) -> GraphValue {
    drafts.append(draft)
    return GraphValue(draft: drafts.count - 1, shape: draft.shape, merged: merged)
  }
}

// MARK: - Drafting

extension GraphMapper {
  /// Drafts a layer.
  ///
  /// - Parameters:
  ///   - operation: the operator; of a layer with channels first, the one for channels last.
  ///   - inputs: what it reads.
  ///   - merged: the axes that the graph has merged with the batch.
  ///   - node: what names it; by default the node that is being mapped.
  /// - Throws: `badData` if the operator does not fit its inputs.
  mutating func draft(
    _ operation: any Operator, _ inputs: [GraphValue],
    _ parameters: [ParameterRole: GraphDraft.Parameter] = [:],
    axes: GraphDraft.Axes = .counted(moved: nil), merged: Int = 0, bias: GraphConstant? = nil,
    expression: GraphExpression? = nil, node: (name: String, operation: String)? = nil
  ) throws(NetconvError) -> GraphValue {
    var shapes = inputs.map(\.shape)
    if case .channelsFirst = axes { shapes = shapes.map(\.withChannelsLast) }
    var shape = try operation.checkedOutputShape(for: shapes)
    if case .channelsFirst = axes, shape.rank > 1 { shape = shape.withChannelsFirst }
    return add(
      GraphDraft(
        node: node?.name ?? current, operation: node?.operation ?? currentOperation, shape: shape,
        content: .layer(
          GraphDraft.Layer(
            operation: operation, inputs: inputs.map(\.draft), parameters: parameters, axes: axes,
            bias: bias)),
        expression: expression), merged: merged)
  }

  /// Drafts a value that only a layer behind it may be able to compute with.
  ///
  /// - Parameter problem: what to say if it cannot.
  mutating func draft(
    _ expression: GraphExpression, shape: Shape, merged: Int, problem: NetconvError
  ) -> GraphValue {
    add(
      GraphDraft(
        node: current, operation: currentOperation, shape: shape,
        content: .nothing(problem.inNode(current, currentOperation)), expression: expression),
      merged: merged)
  }

  /// Drafts places that are dealt out to samples, which no layer computes.
  mutating func draft(_ dealing: GraphDealing, shape: Shape) -> GraphValue {
    add(
      GraphDraft(
        node: current, operation: currentOperation, shape: shape,
        content: .nothing(NetconvError.dealsOutMore.inNode(current, currentOperation)),
        dealing: dealing))
  }

  /// Says something about the node that is being mapped.
  mutating func note(_ kind: GraphNotes.Kind) { notes.add(kind, current) }
}

extension Shape {
  /// The shape of an image whose first axis has become the last.
  var withChannelsLast: Shape {
    rank > 1 ? Shape(Array(dimensions.dropFirst()) + [dimensions[0]]) : self
  }

  /// The shape of an image whose last axis has become the first.
  var withChannelsFirst: Shape {
    rank > 1 ? Shape([dimensions[rank - 1]] + dimensions.dropLast()) : self
  }
}
