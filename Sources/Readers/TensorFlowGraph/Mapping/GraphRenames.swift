import ModelIR

/// A user's new names for variables of a graph, whichever file has their values.
struct GraphRenames {
  /// The new names of the graph's variables, by their old names.
  private let names: [String: String]
  /// The old names of renamed variables, as the user wrote them.
  let renamed: Set<String>

  /// - Parameter variables: the variables of the graph, or the constants that replace them in a frozen graph, with the
  ///   paths of their values; a path is also accepted as an old name.
  /// - Throws: `usage` if an old name is unknown, a new name has no layer, or two names become the same.
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

  /// True if a variable has a new name.
  func renames(_ name: String) -> Bool { names[name] != nil }

  /// The name of a variable after renaming.
  subscript(name: String) -> String { names[name] ?? name }

  /// The variable after which a layer is named; renamed variables have precedence.
  ///
  /// - Throws: `usage` if the user's names are those of two layers.
  func variable(ofLayerWith variables: [String], at node: String) throws(NetconvError) -> String? {
    let given = Set(names.values).intersection(variables).sorted()
    guard let first = given.first else { return variables.min() }
    for other in given where other.scopeAndLast.scope != first.scopeAndLast.scope {
      throw NetconvError.renamedToLayers(first, other).inLayer(node)
    }
    return first
  }

  /// A note on new names that no layer uses; `nil` if there are none.
  func note(naming variables: Set<String>) -> SourceNote? {
    let unused = names.filter { !variables.contains($0.value) }.keys.sorted()
    guard !unused.isEmpty else { return nil }
    return SourceNote(
      text: "renamed variables that no layer is called after, since no layer has them as they are",
      details: unused.map { quoted($0) }, isWarning: true)
  }
}

extension TensorFlowGraphSource {
  /// The variables of a part of the graph; in a frozen graph, the constants that replace them.
  ///
  /// Integers are sizes and axes, and scalars are settings, so neither counts as a variable.
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

  /// The renamed variables, and the renamed constants of a frozen graph, by node.
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

extension NetconvError {
  fileprivate static func renamesNothingInGraph(_ name: String, among names: [String])
    -> NetconvError
  {
    let near = didYouMean(name, among: names)
    return NetconvError(
      .usage,
      text: "\(.renames) names \(quoted(name)), which is no variable of the graph"
        + Message(text: near),
      list: near.isEmpty ? names.sorted().prefix(20).map { Message(text: quoted($0)) } : [])
  }

  fileprivate static func renamesTwice(_ name: String) -> NetconvError {
    NetconvError(.usage, text: "\(.renames) gives the variable \(quoted(name)) two names")
  }

  fileprivate static func renamedWithoutLayer(_ old: String, _ new: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.renames) calls \(quoted(old)) \(quoted(new)); expected the layer's name, a slash and the variable's, "
        + "such as conv1/W")
  }

  fileprivate static func renamedToLayers(_ first: String, _ second: String) -> NetconvError {
    NetconvError(
      .usage,
      text: "with \(.renames) the variables of one layer would be \(quoted(first)) and "
        + "\(quoted(second)); expected the same name before the last slash")
  }
}
