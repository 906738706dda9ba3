import Files
import ModelIR

/// A graph with its signature and the values of its variables.
struct TensorFlowGraphSource {
  let graph: GraphDefinition
  /// The inputs and outputs that the file names.
  var signature: MetaGraph.Signature?
  /// The values of variables, by node.
  var variables: [String: GraphConstant] = [:]

  /// The model between the selected inputs and outputs.
  ///
  /// - Throws: `badData` with every unsupported node; `usage` if the user names an unknown node or variable.
  func model(
    called name: String, _ selection: GraphSelection, _ names: VariableRenames
  ) throws(NetconvError) -> (model: Model, notes: [SourceNote], renamed: Set<String>) {
    let fed = try selection.inputs.map { text throws(NetconvError) in try GraphInputName(text) }
    let graph = try graph.stating(fed)
    let ends = try GraphEnds(of: graph, feeding: fed.map(\.name), selection, signature)
    var flattening = try GraphFlattening(graph)
    let stops = Set((ends.inputs ?? []).map { TensorName($0.tensor).node })
    let flat = try flattening.flattened(ends.outputs.map(\.tensor), stoppingAt: stops)
    let feeds = try feeds(graph, flat, ends.inputs)
    let renames = try GraphRenames(names, of: variableNames(in: flat))
    var mapper = try GraphMapper(
      flat, feeding: feeds, variables: renamed(renames, in: flat))
    var outputs: [GraphValue] = []
    for (reference, end) in zip(flat.outputs, ends.outputs) {
      switch mapper.result(reference) {
      case .value(let value):
        do throws(NetconvError) {
          outputs.append(try mapper.builder.output(value))
        } catch {
          throw .unreadNodes([error.inLayer(end.name)])
        }
      case .problem(let problem):
        throw .unreadNodes(
          problem.errors + others(flat, problem), hasWeights: firstOpenVariable == nil)
      case .constant, .fed, .random: throw .constantOutput(end.name)
      }
    }
    let assembly = try GraphAssembly(mapper.builder, outputs: outputs) {
      variables, node throws(NetconvError) in
      try renames.variable(ofLayerWith: variables, at: node)
    }
    let model = try assembly.model(called: name)
    var notes = mapper.builder.notes.sourceNotes
    if let unused = renames.note(naming: assembly.variables) { notes.append(unused) }
    if ends.isFound {
      notes.insert(
        .foundEnds(
          inputs: model.inputs.map(\.name), outputs: ends.outputs.map(\.name), ends.measures),
        at: 0)
    }
    if let renamed = SourceNote.outputs(ends.outputs.map(\.name), as: model.outputs) {
      notes.append(renamed)
    }
    return (model, notes, renames.renamed)
  }

  /// The first variable of a graph without values of variables; `nil` if it has values, or no variables.
  var firstOpenVariable: GraphNode? {
    variables.isEmpty ? graph.nodes.all.first(where: VariableAssignments.isVariable) : nil
  }

  /// The nodes of the inputs, and their names in the model.
  private func feeds(
    _ graph: GraphDefinition, _ flat: FlatGraph, _ inputs: [GraphEnds.End]?
  ) throws(NetconvError) -> [(node: String, name: String)] {
    if let inputs {
      return inputs.map { (TensorName($0.tensor).node, $0.name) }
    }
    let needed = Set(flat.nodes.map(\.name))
    let found = graph.nodes.all.filter { graph.isInput($0) && needed.contains($0.name) }
    guard !found.isEmpty else { throw .noPlaceholders }
    return found.map { ($0.name, $0.name) }
  }

  /// Further nodes with unsupported operations, which are hidden by earlier errors.
  private func others(_ flat: FlatGraph, _ problem: GraphProblem) -> [NetconvError] {
    let named = Set(problem.errors.compactMap(\.layer))
    return flat.nodes.filter { node in
      GraphOperations.operation(named: node.operation) == nil
        && !GraphDropout.isSource(node.operation) && variables[node.name] == nil
    }.map { node in
      NetconvError.unknownOperation(
        node.operation, reading: node.inputs.map { flat.nodes[$0.node].name }
      ).inNode(node.name, node.operation)
    }
    .filter { !named.contains($0.layer ?? "") }
  }
}

extension SourceNote {
  /// A note on outputs whose layers have other names; `nil` if there are none.
  static func outputs(_ names: [String], as layers: [String]) -> SourceNote? {
    let renamed = zip(names, layers).filter { $0 != $1 }
    guard !renamed.isEmpty else { return nil }
    return SourceNote(
      text: "outputs are called as the layers that give them",
      details: renamed.map { "\(quoted($0)) is \(quoted($1))" }, isWarning: false)
  }

  /// A note on inputs and outputs that the file does not state, and on losses and metrics that are excluded.
  fileprivate static func foundEnds(
    inputs: [String], outputs: [String], _ measures: [String]
  ) -> SourceNote {
    let details = ["inputs: " + inputs.quotedList, "outputs: " + outputs.quotedList]
    guard !measures.isEmpty else {
      return SourceNote(
        text:
          "the graph does not name its inputs and outputs; taken are those that nothing feeds or reads",
        details: details, isWarning: false)
    }
    var note = SourceNote(
      text:
        "the graph does not name its outputs; taken \(outputs.count == 1 ? "is" : "are") \(outputs.quotedList), which nothing "
        + "but losses and metrics reads, and left out \(measures.count == 1 ? "is" : "are") \(measures.quotedList)",
      details: details, isWarning: false)
    note.isDecision = true
    return note
  }
}
