import ModelIR

/// The names that a user gives to variables of a graph, whatever file their values are in.
struct GraphRenames {
  /// The new names of those that the graph has, by the old ones.
  private let names: [String: String]
  /// What users call the variables that have new names.
  let renamed: Set<String>

  /// - Parameter variables: what the graph calls its variables, and the constants that a frozen graph has instead; with
  ///   the place of their values, by which they can be named too.
  /// - Throws: `usage` if one of the old names is none of them, a new one has no layer, or two become the same.
  init(
    _ renames: VariableRenames, of variables: [(name: String, path: String)]
  ) throws(NetconvError) {
    var known: Set<String> = []
    let ordered = variables.map(\.name).filter { known.insert($0).inserted }
    var names: [String: String] = [:]
    var found: Set<String> = []
    for old in renames.variables {
      guard let new = renames.names[old] else { continue }
      guard
        let name = known.contains(old) ? old : variables.first(where: { $0.path == old })?.name
      else {
        if renames.isStrict { throw .renamesNothingInGraph(old, among: ordered) }
        continue
      }
      guard !new.scopeAndLast.scope.isEmpty, !new.scopeAndLast.last.isEmpty else {
        throw .renamedWithoutLayer(old, new)
      }
      guard names.updateValue(new, forKey: name) == nil else { throw .renamesTwice(name) }
      found.insert(old)
    }
    var taken: Set<String> = []
    for name in ordered where !taken.insert(names[name] ?? name).inserted {
      throw .renamedToOne(names[name] ?? name)
    }
    self.names = names
    renamed = found
  }

  /// Whether a variable has a new name.
  func renames(_ name: String) -> Bool { names[name] != nil }

  /// What a variable is called.
  subscript(name: String) -> String { names[name] ?? name }

  /// The variable that a layer is called after, of those that it has: one that a user has named goes first.
  ///
  /// - Throws: `usage` if names that a user has given are of two layers.
  func variable(ofLayerWith variables: [String], at node: String) throws(NetconvError) -> String? {
    let given = Set(names.values).intersection(variables).sorted()
    guard let first = given.first else { return variables.min() }
    for other in given where other.scopeAndLast.scope != first.scopeAndLast.scope {
      throw NetconvError.renamedToLayers(first, other).inLayer(node)
    }
    return first
  }

  /// Says which new names no layer is called after; `nil` if there is none.
  func note(naming variables: Set<String>) -> SourceNote? {
    let unused = names.filter { !variables.contains($0.value) }.keys.sorted()
    guard !unused.isEmpty else { return nil }
    return SourceNote(
      text: "renamed variables that no layer is called after, since no layer has them as they are",
      details: unused.map { quoted($0) }, isWarning: true)
  }
}

extension TensorFlowGraphSource {
  /// What a part of the graph calls its variables; in a frozen graph they are constants.
  ///
  /// Whole numbers are sizes and axes, and a number by itself is a setting.
  func variableNames(in flat: FlatGraph) -> [(name: String, path: String)] {
    flat.nodes.compactMap { node in
      if let variable = variables[node.name] {
        return variable.name.map { ($0, variable.path) }
      }
      guard node.operation == "Const", case .tensor(let tensor) = node.attributes["value"],
        tensor.source != nil, !tensor.type.isInteger, !tensor.shape.isEmpty
      else { return nil }
      return (node.name, node.name)
    }
  }

  /// The variables with their new names, and the renamed constants of a frozen graph, by their nodes.
  func renamed(_ renames: GraphRenames, in flat: FlatGraph) -> [String: GraphConstant] {
    var values = variables.mapValues { $0.named(renames[$0.name ?? ""]) }
    for node in flat.nodes where node.operation == "Const" && renames.renames(node.name) {
      guard case .tensor(let tensor) = node.attributes["value"], let source = tensor.source,
        let type = tensor.type.element
      else {
        continue
      }
      values[node.name] = GraphConstant(
        type: type, shape: tensor.shape, name: renames[node.name], source: source,
        path: node.name)
    }
    return values
  }
}
