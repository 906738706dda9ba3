extension Model {
  /// The names of the layers and inputs that `results` depend on, and of those.
  package func layersNeeded(for results: Set<String>) -> Set<String> {
    var needed = results
    for layer in layers.reversed() where needed.contains(layer.name) {
      needed.formUnion(layer.inputs)
    }
    return needed
  }

  /// The part of the model that computes `output` from the values in `known`.
  ///
  /// - Parameters:
  ///   - output: the name of a layer; it is computed even if it is among `known`.
  ///   - known: names of layers. What the part needs of them are its inputs, under the same names.
  /// - Returns: a model whose layers have their names and parameters; the inputs that it needs stay inputs.
  package func part(computing output: String, from known: Set<String>) -> Model {
    var needed: Set<String> = [output]
    var fed: Set<String> = []
    var taken: [Layer] = []
    for layer in layers.reversed() where needed.contains(layer.name) {
      taken.append(layer)
      for input in layer.inputs {
        if known.contains(input) || self.layer(named: input) == nil {
          fed.insert(input)
        } else {
          needed.insert(input)
        }
      }
    }
    let order = inputs.map(\.name) + layers.map(\.name)
    let partInputs = order.filter(fed.contains).map { name in
      inputs.first { $0.name == name }
        ?? ModelInput(name: name, shape: shape(of: name) ?? Shape([Int]()))
    }
    return Model(name: name, inputs: partInputs, checked: taken.reversed(), outputs: [output])
  }

  /// A layer alone, as a model that it is the only layer of.
  ///
  /// - Parameters:
  ///   - name: of the layer.
  ///   - operation: what it computes.
  ///   - inputShapes: without the batch axis; the inputs are called `0`, `1`, ….
  ///   - parameters: in the order of the operator's specs.
  /// - Throws: `badData` if the inputs do not fit the operator.
  package init(
    layer name: String, _ operation: any Operator, inputShapes: [Shape], parameters: [Tensor]
  ) throws(NetconvError) {
    let inputs = inputShapes.enumerated().map { ModelInput(name: "\($0)", shape: $1) }
    let layer = Layer(
      name: name, operation: operation, inputs: inputs.map(\.name), inputShapes: inputShapes,
      outputShape: try operation.checkedOutputShape(for: inputShapes), parameters: parameters,
      origin: nil)
    self.init(name: name, inputs: inputs, checked: [layer], outputs: [name])
  }

  /// The same model with other layers in the place of some, each with the name and the inputs of the one before.
  ///
  /// - Parameter change: the operation and the parameters of a layer; called once for each.
  /// - Throws: what `change` throws, and `badData` if an operation gives another shape than before.
  package func mapLayers(
    _ change: (Layer) throws(NetconvError) -> (operation: any Operator, parameters: [Tensor])
  ) throws(NetconvError) -> Model {
    var changed: [Layer] = []
    for layer in layers {
      let (operation, parameters) = try change(layer)
      let shape = try operation.checkedOutputShape(for: layer.inputShapes)
      guard shape == layer.outputShape else {
        throw NetconvError.changedShape(shape, from: layer.outputShape).inLayer(layer.name)
      }
      changed.append(
        Layer(
          name: layer.name, operation: operation, inputs: layer.inputs,
          inputShapes: layer.inputShapes, outputShape: shape, parameters: parameters,
          origin: layer.origin))
    }
    return Model(name: name, inputs: inputs, checked: changed, outputs: outputs)
  }
}
