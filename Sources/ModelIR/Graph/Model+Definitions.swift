extension Model {
  /// The layers as a source would describe them; the parameters keep their storage.
  package var definitions: [LayerDefinition] {
    layers.map { layer in
      var definition = LayerDefinition(layer)
      let owner = layer.parameters.first?.layer
      definition.parameterOwner = owner == layer.name ? nil : owner
      return definition
    }
  }
}

extension LayerDefinition {
  /// The definition of `layer`, without the owner of shared parameters.
  package init(_ layer: Layer) {
    var parameters: [ParameterRole: StoredTensor] = [:]
    for tensor in layer.parameters {
      var stored = tensor.stored
      stored.layout = tensor.storedLayout
      parameters[tensor.spec.role] = stored
    }
    self.init(
      name: layer.name, operation: layer.operation, inputs: layer.inputs,
      furtherOutputs: layer.outputs.dropFirst().map(\.name), parameters: parameters,
      origin: layer.origin)
  }
}
