import ModelIR
import Operators

/// Maps the nodes of a graph to layers of a builder, from its inputs to its outputs.
struct GraphMapper {
  /// The builder with the drafts of layers.
  var builder: GraphBuilder
  /// The results of each node so far.
  private var results: [[GraphResult]] = []
  private let graph: FlatGraph

  /// Maps the nodes of `graph`.
  ///
  /// - Parameters:
  ///   - graph: nodes in topological order.
  ///   - feeds: the names of the model's inputs, by node.
  ///   - variables: the values of variables, by node.
  init(
    _ graph: FlatGraph, feeding feeds: [(node: String, name: String)],
    variables: [String: GraphConstant]
  ) throws(NetconvError) {
    self.graph = graph
    let fedNames = Dictionary(
      feeds.map { ($0.node, $0.name) }, uniquingKeysWith: { first, _ in first })
    let fed = graph.nodes.filter { fedNames[$0.name] != nil }
    builder = GraphBuilder(
      batchSize: try GraphBuilder.batchSize(
        of: fed.compactMap { $0.attributes.statedShape?.dimensions?.first }))
    for flag in graph.assumedFlags { builder.note(.flag, at: flag) }
    for node in graph.nodes {
      if let name = fedNames[node.name] {
        guard let dimensions = node.attributes.statedShape?.dimensions else {
          throw NetconvError.inputWithoutShape.inNode(node.name, node.operation)
        }
        let input = try builder.input(
          name, dimensions, node: node.name, operation: node.operation)
        results.append([.value(input)])
      } else {
        results.append(map(node, variables))
      }
    }
    builder.orderInputs(by: feeds.map(\.name))
  }

  /// An output of a node.
  func result(_ reference: FlatGraph.Reference) -> GraphResult {
    let outputs = results[reference.node]
    if outputs.count == 1, case .problem = outputs[0] { return outputs[0] }
    let node = graph.nodes[reference.node]
    return outputs.indices.contains(reference.output)
      ? outputs[reference.output]
      : .problem(
        GraphProblem(.noSuchOutput(reference.output).inNode(node.name, node.operation)))
  }

  private mutating func map(
    _ node: FlatGraph.Node, _ variables: [String: GraphConstant]
  ) -> [GraphResult] {
    if let constant = variables[node.name] { return [.constant(constant)] }
    // Dropout is removed, whatever the shape of its random numbers.
    if GraphDropout.isSource(node.operation) { return [.random(GraphRandom(stage: .numbers))] }
    let inputs = node.inputs.map(result)
    let mapped = MappedNode(
      name: node.name, operation: node.operation, inputs: inputs, attributes: node.attributes)
    let names = node.inputs.map { graph.nodes[$0.node].name }
    return builder.results(ofNode: node.name, node.operation, reading: inputs) {
      builder throws(NetconvError) in
      if let results = try GraphDropout.results(of: mapped, &builder) { return results }
      guard let operation = GraphOperations.operation(named: node.operation) else {
        throw .unknownOperation(node.operation, reading: names)
      }
      try IntegerArithmetic.check(mapped)
      return try operation.results(of: mapped, &builder)
    }
  }
}
