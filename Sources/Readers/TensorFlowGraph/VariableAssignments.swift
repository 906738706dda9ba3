import ModelIR

/// The checkpoint keys from which variables are restored, according to the graph.
///
/// Source: tensorflow/python/training/saver.py; tensorflow/python/checkpoint/functional_saver.py.
struct VariableAssignments {
  /// The keys in the checkpoint, by the nodes of variables.
  private(set) var names: [String: String] = [:]

  private static let variableOperations: Set = [
    "AutoReloadVariable", "VarHandleOp", "Variable", "VariableV2",
  ]
  private static let assignments: Set = ["Assign", "AssignVariableOp"]

  /// True if a node is a variable.
  static func isVariable(_ node: GraphNode) -> Bool { variableOperations.contains(node.operation) }

  /// Follows the operations that restore a checkpoint.
  ///
  /// - Parameter restore: the operation that restores all variables, if the file names it.
  /// - Throws: `badData` if a variable is restored from a slice of a checkpoint's tensor.
  init(_ graph: GraphDefinition, restoredBy restore: String?) throws(NetconvError) {
    try follow(graph.nodes, arguments: [:])
    guard let restore, let node = graph.nodes[TensorName(restore).node],
      case .function(let name) = node.attributes["f"], let function = graph.functions[name]
    else { return }
    var arguments: [String: String] = [:]
    for (argument, input) in zip(function.arguments, node.inputs) {
      arguments[argument] = TensorName(input).node
    }
    try follow(function.nodes, arguments: arguments)
  }

  private mutating func follow(
    _ nodes: GraphNodes, arguments: [String: String]
  ) throws(NetconvError) {
    for node in nodes.all where Self.assignments.contains(node.operation) && node.inputs.count > 1 {
      let target = TensorName(node.inputs[0]).node
      let variable = arguments[target] ?? target
      guard let name = try restoredName(node.inputs[1], nodes) else { continue }
      names[variable] = name
    }
  }

  /// The checkpoint key from which a value is restored; `nil` for other values, such as an initial one.
  private func restoredName(
    _ tensor: String, _ nodes: GraphNodes
  ) throws(NetconvError) -> String? {
    var reference = TensorName(tensor)
    for _ in 0..<16 {
      guard let node = nodes[reference.node], let input = node.inputs.first else { return nil }
      if node.operation == "Identity" || node.operation == "Cast" {
        reference = TensorName(input)
        continue
      }
      guard
        node.operation == "RestoreV2" || node.operation == "RestoreSlice"
          || node.operation == "Restore",
        node.inputs.count > 1, let names = texts(node.inputs[1], nodes)
      else { return nil }
      let index = reference.output(of: node)
      guard names.indices.contains(index) else { return nil }
      if node.inputs.count > 2, let slices = texts(node.inputs[2], nodes),
        slices.indices.contains(index), !slices[index].isEmpty
      {
        throw .restoresSlice(names[index])
      }
      return names[index]
    }
    return nil
  }

  private func texts(_ tensor: String, _ nodes: GraphNodes) -> [String]? {
    guard case .tensor(let value) = nodes[TensorName(tensor).node]?.attributes["value"] else {
      return nil
    }
    return value.texts
  }
}

extension TensorFlowGraphSource {
  /// Assigns values from a checkpoint to variables.
  ///
  /// - Throws: `badData` if the shapes differ.
  mutating func restore(
    _ checkpoint: TensorFlowCheckpoint, by restore: String?
  ) throws(NetconvError) {
    let assignments = try VariableAssignments(graph, restoredBy: restore)
    let keys = try checkpoint.objectGraph()?.keysByFullName ?? [:]
    for node in graph.nodes.all where VariableAssignments.isVariable(node) {
      let names = [
        assignments.names[node.name],
        // Keras 3 restores copies of its variables.
        node.sharedName.flatMap { keys[$0] }, node.sharedName, node.name,
      ].compactMap(\.self)
      guard let entry = names.lazy.compactMap({ checkpoint[$0] }).first,
        let type = entry.elementType.map({ GraphElement.number($0) })
      else { continue }
      if case .shape(let shape) = node.attributes["shape"], let sizes = shape.known,
        sizes != entry.shape
      {
        throw NetconvError.wrongVariableShape(entry.shape, expected: sizes).inTensor(entry.name)
      }
      let stored = try checkpoint.stored(entry)
      variables[node.name] = GraphConstant(
        type: type, shape: entry.shape, name: node.sharedName ?? node.name,
        source: stored.source, path: entry.name)
    }
  }
}

extension GraphNode {
  /// The name that a program gave to a variable, if it differs from the node's.
  fileprivate var sharedName: String? {
    guard case .text(let bytes) = attributes["shared_name"], !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self).exact
  }
}

extension NetconvError {
  fileprivate static func restoresSlice(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "a variable is restored from a part of \(quoted(name)), which is not read")
  }

  fileprivate static func wrongVariableShape(_ shape: [Int], expected: [Int]) -> NetconvError {
    NetconvError(.badData, "the checkpoint has the shape \(shape), the graph expects \(expected)")
  }
}
