import Documents
import ModelIR

/// The differences between the graphs of two models.
struct GraphComparison {
  private(set) var differences: [GraphDifference] = []
  /// Layers and inputs with another name in the second model.
  private(set) var renamed: [(a: String, b: String)] = []

  private let a: Model
  private let b: Model
  /// The names in the second model of layers and inputs of the first.
  private(set) var names: [String: String] = [:]

  /// Compares two models.
  ///
  /// - Parameter layers: the names in the second model of layers of the first, as far as tensors determine them.
  init(_ a: Model, _ b: Model, layers: [String: String]) {
    let layers = layers.merging(Self.furtherOutputs(a, b, layers)) { own, _ in own }
    let (a, b) = (a.separated, b.separated)
    self.a = a
    self.b = b
    compareInputs()
    pairLayers(layers)
    for layer in a.layers {
      guard let name = names[layer.name], let other = b.layer(named: name) else {
        if !layer.passesOn { add(.presence, layer.name, a: type(of: layer.operation).name, b: nil) }
        continue
      }
      compare(layer, other)
    }
    let paired = Set(names.values)
    for layer in b.layers where !paired.contains(layer.name) && !layer.passesOn {
      add(.presence, layer.name, a: nil, b: type(of: layer.operation).name)
    }
    if counterparts(a.outputs) != b.origins(of: b.outputs) {
      add(.modelOutputs, nil, a: Self.list(a.outputs), b: Self.list(b.outputs))
    }
    renamed = (a.inputs.map(\.name) + a.layers.map(\.name)).compactMap { name in
      names[name].flatMap { $0 == name ? nil : (name, $0) }
    }
  }

  private mutating func compareInputs() {
    for (first, second) in zip(a.inputs, b.inputs) {
      names[first.name] = second.name
      // A checkpoint cannot store such a record, and is the same network without it.
      guard let ours = first.preprocessing, let theirs = second.preprocessing, ours != theirs else {
        continue
      }
      add(.attribute, first.name, called: "preprocessing", a: ours.words, b: theirs.words)
    }
    let shapes = (a.inputs.map(\.shape), b.inputs.map(\.shape))
    if shapes.0 != shapes.1 {
      add(
        .modelInputs, nil, a: shapes.0.map(\.description).joined(separator: ", "),
        b: shapes.1.map(\.description).joined(separator: ", "))
    }
  }

  /// Returns the names in the second model of the first model's outputs after the first of each layer.
  private static func furtherOutputs(
    _ a: Model, _ b: Model, _ layers: [String: String]
  ) -> [String: String] {
    var names: [String: String] = [:]
    for layer in a.layers {
      guard let other = b.layer(named: layers[layer.name] ?? layer.name) else { continue }
      for (output, counterpart) in zip(layer.outputs, other.outputs).dropFirst() {
        names[output.name] = counterpart.name
      }
    }
    return names
  }

  /// Pairs layers by their tensors, then by name, then by equal operators on equal inputs.
  private mutating func pairLayers(_ layers: [String: String]) {
    var free = Set(b.layers.map(\.name))
    for (name, other) in layers where a.layer(named: name) != nil {
      if free.remove(other) != nil { names[name] = other }
    }
    for layer in a.layers where names[layer.name] == nil {
      if free.remove(layer.name) != nil { names[layer.name] = layer.name }
    }
    for layer in a.layers where names[layer.name] == nil {
      let inputs = counterparts(layer.inputs)
      let operation = layer.operation.settled(for: layer.inputShapes)
      let alike = b.layers.filter {
        free.contains($0.name) && b.origins(of: $0.inputs) == inputs && $0.parameters.isEmpty
          && layer.parameters.isEmpty
          && operation.isEqual(to: $0.operation.settled(for: $0.inputShapes))
      }
      if alike.count == 1, free.remove(alike[0].name) != nil { names[layer.name] = alike[0].name }
    }
  }

  private mutating func compare(_ first: Layer, _ second: Layer) {
    if counterparts(first.inputs) != b.origins(of: second.inputs) {
      add(.inputs, first.name, a: Self.list(first.inputs), b: Self.list(second.inputs))
    }
    // Padding that adds nothing makes no difference.
    let settled = first.operation.settled(for: first.inputShapes)
    guard !settled.isEqual(to: second.operation.settled(for: second.inputShapes)) else { return }
    let types = (type(of: first.operation).name, type(of: second.operation).name)
    guard types.0 == types.1 else {
      return add(.operator, first.name, a: types.0, b: types.1)
    }
    for attribute in first.operation.differences(to: second.operation) {
      add(
        .attribute, first.name, called: attribute.name, a: attribute.first, b: attribute.second)
    }
  }

  /// Returns the second model's names of the values that the first model reads, ignoring layers that only pass values
  /// on.
  private func counterparts(_ names: [String]) -> [String] {
    b.origins(of: a.origins(of: names).map { self.names[$0] ?? $0 })
  }

  private static func list(_ names: [String]) -> String {
    names.quotedList
  }

  private mutating func add(
    _ kind: GraphDifference.Kind, _ layer: String?, called name: String? = nil, a: String?,
    b: String?
  ) {
    differences.append(GraphDifference(kind: kind, layer: layer, name: name, a: a, b: b))
  }
}

extension Layer {
  /// True if the output equals the input, as for dropout after training.
  fileprivate var passesOn: Bool {
    operation.valueEffect == .none && inputs.count == 1 && parameters.isEmpty
  }
}

extension Model {
  /// Returns the layers or inputs that compute the values, ignoring layers that only pass values on.
  fileprivate func origins(of names: [String]) -> [String] {
    names.map { name in
      var name = name
      while let layer = layer(named: name), layer.passesOn { name = layer.inputs[0] }
      return name
    }
  }
}
