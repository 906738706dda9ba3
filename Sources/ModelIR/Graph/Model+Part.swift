extension Model {
  /// The names of the layers that `results` depend on, of the values that these read, and of `results`.
  package func layersNeeded(for results: Set<String>) -> Set<String> {
    var needed = results
    for layer in layers.reversed() where layer.computes(anyOf: needed) {
      needed.insert(layer.name)
      needed.formUnion(layer.inputs)
    }
    return needed
  }

  /// The part of the model that computes `output` from the values in `known`.
  ///
  /// - Parameters:
  ///   - output: the name of a layer's output; it is computed even if it is among `known`.
  ///   - known: names of values. What the part needs of them are its inputs, under the same names, but for those that
  ///     the layer of `output` computes too.
  /// - Returns: a model whose layers have their names and parameters; the inputs that it needs stay inputs.
  package func part(computing output: String, from known: Set<String>) -> Model {
    var needed: Set<String> = [output]
    var fed: Set<String> = []
    var taken: [Layer] = []
    for layer in layers.reversed() where layer.computes(anyOf: needed) {
      taken.append(layer)
      for input in layer.inputs {
        if known.contains(input) || producer(of: input) == nil {
          fed.insert(input)
        } else {
          needed.insert(input)
        }
      }
    }
    // Two layers of one name are none: what is computed after all is not fed.
    fed.subtract(taken.flatMap(\.outputs).map(\.name))
    let order = inputs.map(\.name) + computedNames
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
      outputs: [LayerOutput(name: name, shape: try operation.checkedOutputShape(for: inputShapes))],
      parameters: parameters, origin: nil)
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
      let shapes = try operation.checkedOutputShapes(for: layer.inputShapes)
      for (shape, output) in zip(shapes, layer.outputs) where shape != output.shape {
        throw NetconvError.changedShape(shape, from: output.shape).inLayer(layer.name)
      }
      changed.append(
        Layer(
          name: layer.name, operation: operation, inputs: layer.inputs,
          inputShapes: layer.inputShapes, outputs: layer.outputs, parameters: parameters,
          origin: layer.origin))
    }
    return Model(name: name, inputs: inputs, checked: changed, outputs: outputs)
  }
}

extension Model {
  /// The same model with a layer for each output that anything reads, for what knows layers of one output.
  ///
  /// A layer is called like its output. Those of one layer share its parameters.
  package var separated: Model {
    guard layers.contains(where: { $0.outputs.count > 1 }) else { return self }
    let layers = layers.flatMap { layer -> [Layer] in
      guard layer.outputs.count > 1 else { return [layer] }
      return layer.outputs.enumerated().compactMap { index, output -> Layer? in
        guard index == 0 || lastReader(of: output.name) != nil || outputs.contains(output.name)
        else { return nil }
        return Layer(
          name: output.name, operation: layer.operation.computing(output: index),
          inputs: layer.inputs, inputShapes: layer.inputShapes, outputs: [output],
          parameters: layer.parameters, origin: layer.origin)
      }
    }
    return Model(name: name, inputs: inputs, checked: layers, outputs: outputs)
  }
}

extension Layer {
  /// Whether one of its outputs has one of these names.
  fileprivate func computes(anyOf names: Set<String>) -> Bool {
    outputs.contains { names.contains($0.name) }
  }
}
