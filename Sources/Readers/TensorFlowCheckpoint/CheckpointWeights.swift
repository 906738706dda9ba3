import ModelIR

/// The weights of a checkpoint for the layers of a Keras model.
///
/// A checkpoint of a Keras model has numbered layers, as TensorFlow itself restores them; other checkpoints have
/// names.
struct CheckpointWeights: KerasWeightSource {
  private let variables: CheckpointVariables
  /// The object of each layer by the layer's path in the model; `nil` to match variables by name.
  private let objects: CheckpointLayers?
  /// The variables by the indices of their objects.
  private let byNode: [Int: CheckpointVariables.Variable]
  private let used = UsedNames()

  let isOfTheano = false
  /// LoRA weights are separate variables.
  let holdsLoRA = true

  /// Matches the layers of `model` with a checkpoint.
  init(_ variables: CheckpointVariables, of model: KerasModelConfig) {
    self.variables = variables
    objects =
      variables.isRenamed ? nil : variables.graph.flatMap { CheckpointLayers($0, of: model) }
    byNode = Dictionary(
      variables.weights.compactMap { variable in variable.node.map { ($0, variable) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The variables that no layer has requested.
  var unused: [String] {
    variables.weights.filter { !used.names.contains($0.entry.name) }.map(\.name)
  }

  /// Layers whose variables are named after other layers of the architecture.
  var others: [(layer: String, variable: String)] { used.others }

  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    let found =
      if let objects, let graph = variables.graph {
        objects.weights(of: place, expected, in: graph, byNode)
      } else {
        try named(place, expected)
      }
    var weights: [(name: String, stored: StoredTensor)] = []
    for (name, variable) in found {
      used.names.insert(variable.entry.name)
      if objects?.otherLayer(than: place.path, of: variable) != nil {
        used.others.append((place.path.joined(separator: "/"), variable.fullName))
      }
      var stored = try variables.checkpoint.stored(variable.entry)
      // In messages, a variable has the name that the user knows.
      stored.path = variable.name
      weights.append((name, stored))
    }
    return weights
  }

  func arrays(below path: [String]) throws(NetconvError) -> [String] {
    if let objects, let graph = variables.graph {
      return objects.nodes(below: path, in: graph).compactMap { byNode[$0]?.name }.sorted()
    }
    return variables.weights.map(\.name).filter { name in
      let owners = name.scopeAndLast.scope.split(separator: "/").map(String.init)
      return Self.place(of: path.last ?? "", in: owners) != nil
    }
  }

  // MARK: - Names

  /// Returns the variables in the scope of the layer, with or without the enclosing models and scopes.
  private func named(
    _ place: KerasWeightPlace, _ expected: [KerasWeight]
  ) throws(NetconvError) -> [(name: String, variable: CheckpointVariables.Variable)] {
    var path = place.path
    var found = try inScope(path, isInside: place.isRecurrent || !place.parts.isEmpty)
    if let wrapped = place.wrapped {
      path.append(wrapped)
      found = try inScope(path, isInside: false) + found
    }
    for part in place.parts where part.match != nil {
      found = found.filter { part.holds($0.name.scopeAndLast.scope.split(separator: "/")) }
    }
    return found.map { variable in
      (Self.kerasName(variable.name.scopeAndLast.last, among: expected), variable)
    }
  }

  private func inScope(
    _ path: [String], isInside: Bool
  ) throws(NetconvError) -> [CheckpointVariables.Variable] {
    let own = path.last ?? ""
    var byOwners: [[String]: [CheckpointVariables.Variable]] = [:]
    for variable in variables.weights {
      let owners = variable.name.scopeAndLast.scope.split(separator: "/").map(String.init)
      guard let end = Self.place(of: own, in: owners), isInside || end == owners.count else {
        continue
      }
      byOwners[Array(owners[..<end]), default: []].append(variable)
    }
    if byOwners.count <= 1 { return byOwners.first?.value ?? [] }
    // Of layers with the same name, chooses the one in exactly the enclosing models of the layer.
    let whole = path.flatMap { $0.split(separator: "/").map(String.init) }
    let candidates = byOwners.keys.filter { $0.suffix(whole.count) == whole[...] }
      .sorted { $0.count < $1.count }
    guard let first = candidates.first, candidates.count == 1 || candidates[1].count > first.count
    else { throw .ambiguousScopes(byOwners.keys.map { $0.joined(separator: "/") }.sorted()) }
    return byOwners[first] ?? []
  }

  /// Returns the index after the layer's name, which may have slashes, in a scope.
  private static func place(of layer: String, in owners: [String]) -> Int? {
    let own = layer.split(separator: "/").map(String.init)
    guard !own.isEmpty else { return nil }
    return owners.indices.last { owners[$0...].starts(with: own) }.map { $0 + own.count }
  }

  /// Returns the Keras name of a weight that has another name in programs without Keras.
  private static func kerasName(_ name: String, among expected: [KerasWeight]) -> String {
    guard !expected.contains(where: { $0.isCalled(name) }), let other = otherNames[name],
      expected.contains(where: { $0.isCalled(other) })
    else { return name }
    return other
  }

  /// Source: tensorflow/contrib/layers/python/layers/layers.py; tutorials of TensorFlow.
  private static let otherNames = [
    "weights": "kernel", "weight": "kernel", "W": "kernel", "w": "kernel",
    "biases": "bias", "b": "bias", "depthwise_weights": "depthwise_kernel",
    "pointwise_weights": "pointwise_kernel",
  ]

  /// Returns the role of a variable by its name alone.
  static func role(named name: String) -> ParameterRole {
    KerasWeight.role(named: otherNames[name] ?? name)
  }
}

/// The requested variable names: shared mutable state, because a source of weights is a value.
private final class UsedNames {
  var names: Set<String> = []
  var others: [(layer: String, variable: String)] = []
}

extension NetconvError {
  fileprivate static func ambiguousScopes(_ scopes: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the checkpoint has several scopes of this name; give the right one the layer's whole path with "
        + "\(.renames)", list: scopes.prefix(20).map { Message(text: quoted($0)) })
  }
}
