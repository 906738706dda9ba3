import ModelIR
import Operators

/// Drafts layers from the operations of a graph, whatever its format.
///
/// A reader visits the nodes in topological order and calls a function of the builder for each. These functions
/// accept constants, which are folded, and values, for which layers are drafted. `GraphAssembly` builds a model
/// from the drafts that the outputs need.
struct GraphBuilder {
  /// The drafts so far; layers only read drafts with smaller indices.
  private(set) var drafts: [GraphDraft] = []
  /// The batch size of all inputs, which constants repeat; `nil` if it is open.
  let batchSize: Int?
  /// The inputs of the model.
  private(set) var inputs: [ModelInput] = []
  /// Notes on how the model differs from the graph.
  private(set) var notes = GraphNotes()
  /// The drafts of tables, by the constant's name, axes and sizes.
  var tables: [String: Int] = [:]
  private var foldedCount = 0
  private static let foldedLimit = 1 << 26
  /// The name of the current node, after which computed constants are named.
  private(set) var node = ""
  /// The current node's operation, as named by the graph.
  private(set) var operation = ""

  /// Creates a builder for a graph with the given batch size; `nil` if it is open.
  init(batchSize: Int?) { self.batchSize = batchSize }

  /// Builds the operation of a node.
  ///
  /// - Returns: its outputs; a problem if the operation, or one that it depends on, is not supported.
  mutating func results(
    ofNode name: String, _ operation: String, reading inputs: [GraphResult],
    _ build: (inout GraphBuilder) throws(NetconvError) -> [GraphResult]
  ) -> [GraphResult] {
    (node, self.operation) = (name, operation)
    do throws(NetconvError) {
      let problems = inputs.compactMap { input in
        if case .problem(let problem) = input { problem } else { nil }
      }
      guard problems.isEmpty else { return [.problem(GraphProblem(joining: problems))] }
      let results = try build(&self)
      try count(results)
      return results
    } catch {
      return [.problem(GraphProblem(error.inNode(name, operation)))]
    }
  }

  /// Counts computed numbers; a graph has no more of them than weights.
  private mutating func count(_ results: [GraphResult]) throws(NetconvError) {
    for case .constant(let constant) in results where constant.name == nil {
      foldedCount += constant.count
    }
    guard foldedCount <= Self.foldedLimit else {
      throw .tooManyNumbers(foldedCount, limit: Self.foldedLimit)
    }
  }

  // MARK: - Drafting

  /// Adds an input of the model.
  ///
  /// - Parameters:
  ///   - name: the input's name in the model.
  ///   - dimensions: the shape, batch included if there is one.
  ///   - hasBatch: true if the first axis is the batch.
  ///   - node: the node of the input.
  /// - Throws: `badData` if there is no axis for the batch.
  mutating func input(
    _ name: String, _ dimensions: [Int?], hasBatch: Bool = true, node: String, operation: String
  ) throws(NetconvError) -> GraphValue {
    if !hasBatch {
      notes.add(.whole, node)
      let shape = Shape(dimensions)
      inputs.append(ModelInput(name: name, shape: shape))
      return add(
        GraphDraft(node: node, operation: operation, shape: shape, content: .input(name)),
        batch: nil)
    }
    guard let batch = dimensions.first else {
      throw NetconvError.inputWithoutBatch.inNode(node, operation)
    }
    if batch ?? 1 != 1 { notes.add(.batch, node) }
    let own = Shape(Array(dimensions.dropFirst()))
    inputs.append(ModelInput(name: name, shape: own))
    return add(GraphDraft(node: node, operation: operation, shape: own, content: .input(name)))
  }

  /// The common batch size of all inputs; `nil` if it is open.
  ///
  /// - Parameter sizes: the size of the first axis of each input.
  /// - Throws: `badData` if they differ.
  static func batchSize(of sizes: [Int?]) throws(NetconvError) -> Int? {
    let sizes = Set(sizes)
    guard sizes.count <= 1 || sizes.subtracting([nil]).isSubset(of: [1]) else {
      throw .inputsOfBatches(sizes.compactMap(\.self).sorted())
    }
    return sizes.count == 1 ? sizes.first ?? nil : nil
  }

  /// Sorts the inputs in the order of `names`.
  mutating func orderInputs(by names: [String]) {
    inputs.sort { (names.firstIndex(of: $0.name) ?? 0) < (names.firstIndex(of: $1.name) ?? 0) }
  }

  private mutating func add(
    _ draft: GraphDraft, batch: GraphValue.BatchPlace? = .first
  ) -> GraphValue {
    drafts.append(draft)
    return GraphValue(draft: drafts.count - 1, shape: draft.shape, batch: batch)
  }

  /// Drafts a layer.
  ///
  /// - Parameters:
  ///   - operation: the operator; for a layer with channels first, its channels-last form.
  ///   - inputs: the inputs of the layer.
  ///   - batch: the location of the batch in the result.
  ///   - node: the node that the layer is named after; by default the current one.
  /// - Throws: `badData` if the operator does not accept the inputs.
  mutating func draft(
    _ operation: any Operator, _ inputs: [GraphValue],
    _ parameters: [ParameterRole: GraphDraft.Parameter] = [:],
    axes: GraphDraft.Axes = .counted(moved: nil), batch: GraphValue.BatchPlace? = .first,
    bias: GraphConstant? = nil, expression: GraphExpression? = nil,
    node: (name: String, operation: String)? = nil
  ) throws(NetconvError) -> GraphValue {
    var shapes = inputs.map(\.shape)
    if case .channelsFirst = axes { shapes = shapes.map(\.withChannelsLast) }
    var shape = try operation.checkedOutputShape(for: shapes)
    if case .channelsFirst = axes, shape.rank > 1 { shape = shape.withChannelsFirst }
    return add(
      GraphDraft(
        node: node?.name ?? self.node, operation: node?.operation ?? self.operation, shape: shape,
        content: .layer(
          GraphDraft.Layer(
            operation: operation, inputs: inputs.map(\.draft), parameters: parameters, axes: axes,
            bias: bias)),
        expression: expression), batch: batch)
  }

  /// Changes the drafted layer that computes a value.
  ///
  /// - Throws: `badData` if no layer computes it by itself.
  mutating func change(
    _ value: GraphValue, _ change: (inout GraphDraft.Layer) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    guard case .layer(var layer) = drafts[value.draft].content else { throw .noLayer(operation) }
    try change(&layer)
    drafts[value.draft].content = .layer(layer)
    drafts[value.draft].expression = nil
  }

  /// Drafts a value that only a later layer may be able to compute.
  ///
  /// - Parameter problem: the error if none can.
  mutating func draft(
    _ expression: GraphExpression, shape: Shape, batch: GraphValue.BatchPlace?,
    problem: NetconvError
  ) -> GraphValue {
    add(
      GraphDraft(
        node: node, operation: operation, shape: shape,
        content: .nothing(problem.inNode(node, operation)), expression: expression),
      batch: batch)
  }

  /// Drafts the result of space-to-batch, which no layer computes by itself.
  mutating func draft(_ blocked: GraphBlockedValue, shape: Shape) -> GraphValue {
    add(
      GraphDraft(
        node: node, operation: operation, shape: shape,
        content: .nothing(NetconvError.dealsOutMore.inNode(node, operation)), blocked: blocked))
  }

  /// Adds a note about the current node.
  mutating func note(_ kind: GraphNotes.Kind) { notes.add(kind, node) }

  /// Adds a note about a node.
  mutating func note(_ kind: GraphNotes.Kind, at node: String) { notes.add(kind, node) }

  // MARK: - Operands

  /// The operand at an index, as a value.
  ///
  /// - Throws: `badData` if it is constant, or the operation has fewer operands.
  func value(_ operands: [GraphResult], _ index: Int) throws(NetconvError) -> GraphValue {
    guard operands.indices.contains(index) else { throw .missingOperand(index, operation) }
    guard case .value(let value) = operands[index] else { throw .expectedValue(index, operation) }
    return value
  }

  /// The operand as a value whose first axis is the batch alone.
  ///
  /// For a batch of one sample, any axis of size 1 will do.
  mutating func sample(_ operand: GraphResult, _ index: Int = 0) throws(NetconvError) -> GraphValue
  {
    guard case .value(let value) = operand else { throw .expectedValue(index, operation) }
    if value.batch == .first { return value }
    // A single number of a batch of one.
    if value.batch == nil, value.rank == 0, batchSize == 1 { return value.with(.first) }
    guard batchSize == 1, let sizes = graphSizes(of: value).known, sizes.first == 1 else {
      throw value.batch?.merged ?? 0 > 0 ? .mergedBatch : .batchAxis
    }
    return try reshape(value, to: Shape(Array(sizes.dropFirst())))
  }

  /// Operands with the batch at the same location; a batch of one sample is moved there.
  mutating func alike(_ operands: [GraphResult]) throws(NetconvError) -> [GraphResult] {
    var places: Set<GraphValue.BatchPlace?> = []
    for case .value(let value) in operands { places.insert(value.batch) }
    guard batchSize == 1, places.count > 1 else { return operands }
    var alike = operands
    for (index, operand) in operands.enumerated() {
      if case .value = operand { alike[index] = .value(try sample(operand, index)) }
    }
    return alike
  }

  /// An output of the graph as one of the model, with the batch alone as its first axis.
  ///
  /// - Throws: `badData` if the graph has the batch elsewhere, or merged with axes of samples.
  mutating func output(_ value: GraphValue) throws(NetconvError) -> GraphValue {
    guard let place = value.batch, place != .first, batchSize != 1 else {
      // The output for a single sample begins with an axis of size 1, or the graph has no batch.
      let isSample = batchSize == 1 && graphSizes(of: value).dimensions.first == 1
      return isSample ? try sample(.value(value)) : value
    }
    throw place.axis > 0 ? .batchBehind(place.axis) : .mergedOutput
  }

  /// The sizes in the graph; the batch axis has ``batchSize``, times the axes that are merged with it.
  func graphSizes(of value: GraphValue) -> Shape {
    Shape(
      (0..<value.rank).map { axis in
        let own = value.sampleAxes(axis).map { value.shape.dimensions[$0] }
        return ((axis == value.batch?.axis ? [batchSize] : []) + own).reduce(1) { product, size in
          product.flatMap { product in size.map { product * $0 } }
        }
      })
  }
}

extension Shape {
  /// The shape of an image with its first axis moved to the end.
  var withChannelsLast: Shape {
    rank > 1 ? Shape(Array(dimensions.dropFirst()) + [dimensions[0]]) : self
  }

  /// The shape of an image with its last axis moved to the front.
  var withChannelsFirst: Shape {
    rank > 1 ? Shape([dimensions[rank - 1]] + dimensions.dropLast()) : self
  }
}

extension NetconvError {
  fileprivate static var inputWithoutBatch: NetconvError {
    NetconvError(.badData, "the input is a single number; a network is fed samples")
  }

  fileprivate static func inputsOfBatches(_ sizes: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the first axes of the inputs are \(sizes.map { "\($0)" }.joined(separator: " and ")); expected the batch, "
        + "the same in all")
  }

  fileprivate static var mergedOutput: NetconvError {
    NetconvError(
      .badData,
      "the first axis of this output counts more than the batch; expected a value before it is merged"
    )
  }

  fileprivate static func batchBehind(_ axis: Int) -> NetconvError {
    NetconvError(
      .badData, "the batch is axis \(axis) of this output; expected the first")
  }
}
