import ModelIR

/// The checkpoint objects of a Keras model's layers, matched by the order in which both list them.
///
/// Source: tf_keras/src/engine/functional.py, `_layer_checkpoint_dependencies`; keras/src/ops/function.py.
struct CheckpointLayers {
  private var byPath: [[String]: Int] = [:]
  private var names: Set<String> = []

  /// Locates every layer of `model`; returns `nil` if the objects are not those of such a model.
  init?(_ graph: ObjectGraph, of model: KerasModelConfig) {
    guard let root = Self.model(in: graph),
      collect(graph, model, at: root, path: [])
    else { return nil }
  }

  /// Returns the root object, or its only child that is a model.
  private static func model(in graph: ObjectGraph) -> Int? {
    guard let root = graph.nodes.first else { return nil }
    if layers(of: 0, graph) != nil { return 0 }
    let models = Set(root.children.map(\.node)).filter { layers(of: $0, graph) != nil }
    return models.count == 1 ? models.first : nil
  }

  /// Returns the layers of a model, including input layers if they are listed.
  private static func layers(of node: Int, _ graph: ObjectGraph) -> [Int]? {
    if let numbered = numbered("layer-", of: node, graph) { return numbered }
    // Keras 3.
    let function = graph.nodes[node].child("_functional") ?? node
    return graph.nodes[function].child("_operations").flatMap { numbered("", of: $0, graph) }
  }

  private static func numbered(_ prefix: String, of node: Int, _ graph: ObjectGraph) -> [Int]? {
    let byName = Dictionary(
      graph.nodes[node].children.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first }
    )
    var found: [Int] = []
    while let next = byName["\(prefix)\(found.count)"] { found.append(next) }
    return found.isEmpty ? nil : found
  }

  private mutating func collect(
    _ graph: ObjectGraph, _ model: KerasModelConfig, at node: Int, path: [String]
  ) -> Bool {
    guard let found = Self.layers(of: node, graph) else { return false }
    for (index, layer) in model.layers.enumerated() {
      let place: Int
      switch found.count {
      case model.layerCount: place = layer.position
      // Without input layers; or with the implicit input layer of a Sequential model.
      case model.layers.count: place = index
      case model.layers.count + 1 where model.inputs.count == 1: place = index + 1
      default: return false
      }
      let own = path + [layer.config.name]
      byPath[own] = found[place]
      names.insert(layer.config.name)
      if let inner = layer.model {
        let isDistributed = layer.config.className == KerasTimeDistributed.className
        let node = isDistributed ? graph.nodes[found[place]].child("layer") : found[place]
        guard let node, collect(graph, inner, at: node, path: own) else { return false }
      }
    }
    return true
  }

  /// Returns the variables of a layer by their names in the layer.
  func weights(
    of place: KerasWeightPlace, _ expected: [KerasWeight], in graph: ObjectGraph,
    _ variables: [Int: CheckpointVariables.Variable]
  ) -> [(name: String, variable: CheckpointVariables.Variable)] {
    guard var node = byPath[place.path] else { return [] }
    for name in place.parts.flatMap({ $0.group.split(separator: "/") }) {
      guard let child = graph.nodes[node].child(String(name)) else { return [] }
      node = child
    }
    if place.isRecurrent, !place.parts.contains(where: { $0.group.hasPrefix("cell") }),
      let cell = graph.nodes[node].child("cell")
    {
      node = cell
    }
    var seen: Set<Int> = []
    var found: [(name: String, variable: CheckpointVariables.Variable)] = []
    let inner = place.wrapped == nil ? nil : graph.nodes[node].child(KerasPathWeights.wrapped)
    for owner in [inner, node].compactMap(\.self) {
      for (child, target) in graph.nodes[owner].children {
        guard let variable = variables[target], seen.insert(target).inserted else { continue }
        var name = child.hasPrefix("_") ? String(child.dropFirst()) : child
        // The training state of a wrapper has different names in different versions.
        if inner != nil, owner == node, let last = expected.last { name = last.name }
        found.append((name, variable))
      }
    }
    return found
  }

  /// Returns the other layer that a variable is named after; `nil` if it is named after its own layer, or none.
  func otherLayer(
    than path: [String], of variable: CheckpointVariables.Variable
  ) -> String? {
    let owners = variable.fullName.scopeAndLast.scope.split(separator: "/").map(String.init)
    guard let own = path.last, !owners.contains(own) else { return nil }
    return owners.last { names.contains($0) }
  }

  /// Returns every object in a layer.
  func nodes(below path: [String], in graph: ObjectGraph) -> Set<Int> {
    guard let node = byPath[path] else { return [] }
    var seen: Set<Int> = [node]
    var stack = [node]
    while let next = stack.popLast() {
      for (_, child) in graph.nodes[next].children where seen.insert(child).inserted {
        stack.append(child)
      }
    }
    return seen
  }
}
