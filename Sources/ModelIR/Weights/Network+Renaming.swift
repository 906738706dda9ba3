extension Network {
  /// Returns the network with layers renamed, and the names that were found.
  ///
  /// Tensors that the source names individually get the prefix of their layer's new name.
  ///
  /// - Parameter names: new names by old ones; names of layers that do not exist are ignored.
  /// - Throws: `badData` if two layers get the same name.
  package func renaming(
    _ names: [String: String]
  ) throws(NetconvError) -> (network: Network, renamed: Set<String>) {
    switch self {
    case .model(let model):
      let (model, renamed) = try model.renaming(names)
      return (.model(model), renamed)
    case .weights(let weights):
      let (weights, renamed) = try weights.renaming(names)
      return (.weights(weights), renamed)
    }
  }
}

extension Model {
  fileprivate func renaming(
    _ names: [String: String]
  ) throws(NetconvError) -> (Model, renamed: Set<String>) {
    let renamed = Set(computedNames).intersection(names.keys)
    guard !renamed.isEmpty else { return (self, []) }
    var new: [String: String] = [:]
    for layer in layers {
      for output in layer.outputs {
        // `lstm/1` follows its layer's name, unless it was renamed itself.
        let isNumbered = output.name.hasPrefix(layer.name + "/")
        let ofLayer = names[layer.name].map { $0 + output.name.dropFirst(layer.name.count) }
        new[output.name] = names[output.name] ?? (isNumbered ? ofLayer : nil)
      }
    }
    func name(_ old: String) -> String { new[old] ?? old }
    let definitions = definitions.map { definition in
      var definition = definition
      definition.furtherOutputs = definition.furtherOutputs?.map(name)
      definition.name = name(definition.name)
      definition.inputs = definition.inputs.map(name)
      definition.parameterOwner = definition.parameterOwner.map(name)
      return definition
    }
    let model = try Model(
      name: self.name, inputs: inputs, layers: definitions, outputs: outputs.map(name))
    return (model, renamed)
  }
}

extension Weights {
  fileprivate func renaming(
    _ names: [String: String]
  ) throws(NetconvError) -> (Weights, renamed: Set<String>) {
    let renamed = Set(layers.map(\.name)).intersection(names.keys)
    guard !renamed.isEmpty else { return (self, []) }
    let layers = try layers.map { layer throws(NetconvError) in
      guard let name = names[layer.name] else { return layer }
      return LayerWeights(
        name: name, origin: layer.origin,
        parameters: try layer.parameters.map { tensor throws(NetconvError) in
          try tensor.ofLayer(name)
        })
    }
    return (try Weights(name: self.name, layers: layers), renamed)
  }
}

extension Tensor {
  /// Returns the same tensor for a layer of another name.
  fileprivate func ofLayer(_ name: String) throws(NetconvError) -> Tensor {
    var stored = stored
    stored.layout = storedLayout
    if let own = stored.name, own.hasPrefix(layer) {
      let rest = own.dropFirst(layer.count)
      if rest.isEmpty || rest.first == "." || rest.first == "/" { stored.name = name + rest }
    }
    // A tensor that has a name but no layer uses the name for both.
    let isOne = spec.role.rawValue == layer
    let spec = ParameterSpec(
      isOne ? ParameterRole(rawValue: name) : self.spec.role, self.spec.kind, self.spec.layout,
      self.spec.sizes, isOptional: self.spec.isOptional, featureAxis: self.spec.featureAxis,
      cell: self.spec.cell)
    return try Tensor(layer: name, spec: spec, stored: stored)
  }
}
