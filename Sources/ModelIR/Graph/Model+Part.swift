extension Model {
  /// The names of the layers that `results` depend on, and of the values that these layers read, including `results`.
  package func layersNeeded(for results: Set<String>) -> Set<String> {
    var needed = results
    for layer in layers.reversed() where layer.computes(anyOf: needed) {
      needed.insert(layer.name)
      needed.formUnion(layer.inputs)
    }
    return needed
  }

  /// Returns the subgraph that computes `output` from the values in `known`.
  ///
  /// - Parameters:
  ///   - output: the name of a layer's output; it is computed even if it is among `known`.
  ///   - known: names of values. Those that the subgraph needs become its inputs, under the same names, except outputs
  ///     that the layer of `output` computes as well.
  /// - Returns: a model whose layers keep their names and parameters. Inputs of this model that it needs remain inputs.
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
    // Names must be unique: a value that a layer computes is not an input as well.
    fed.subtract(taken.flatMap(\.outputs).map(\.name))
    let order = inputs.map(\.name) + computedNames
    let partInputs = order.filter(fed.contains).map { name in
      inputs.first { $0.name == name }
        ?? ModelInput(name: name, shape: shape(of: name) ?? Shape([Int]()))
    }
    return Model(name: name, inputs: partInputs, checked: taken.reversed(), outputs: [output])
  }

  /// Creates a model that consists of a single layer.
  ///
  /// - Parameters:
  ///   - name: the layer's name.
  ///   - operation: the layer's operator.
  ///   - inputShapes: the shapes without the batch axis; the inputs are called `0`, `1`, ….
  ///   - parameters: the parameters in the order of the operator's specs.
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

  /// Returns the model with some layers replaced, each under the same name and with the same inputs.
  ///
  /// - Parameter change: returns the operation and the parameters of a layer; called once per layer.
  /// - Throws: any error that `change` throws, and `badData` if an operation changes the shape of an output.
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
  /// The same model with one layer for each output that is read, for code that supports only one output per layer.
  ///
  /// A layer has the name of its output. Layers that were one layer share their parameters.
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
  /// True if any of the layer's outputs is in `names`.
  fileprivate func computes(anyOf names: Set<String>) -> Bool {
    outputs.contains { names.contains($0.name) }
  }
}

extension NetconvError {
  fileprivate static func changedShape(_ shape: Shape, from expected: Shape) -> NetconvError {
    NetconvError(.badData, "would now have shape \(shape), expected \(expected) as before")
  }
}
