extension Model {
  /// Checks a model as a source describes it, and infers every shape.
  ///
  /// - Parameters:
  ///   - name: what the source calls the model.
  ///   - inputs: at least one.
  ///   - layers: in any order.
  ///   - outputs: names of layers, at least one.
  /// - Throws: `badData` with every problem found, each with the layer's name.
  public init(
    name: String, inputs: [ModelInput], layers: [LayerDefinition], outputs: [String]
  ) throws(NetconvError) {
    var validation = Validation(inputs: inputs, definitions: layers, outputs: outputs)
    validation.checkNames()
    try validation.throwProblems()
    for definition in try topologicalOrder(of: layers) {
      validation.check(definition)
    }
    validation.checkTotal()
    try validation.throwProblems()
    self.init(name: name, inputs: inputs, checked: validation.layers, outputs: outputs)
  }
}

/// The work of turning layer definitions into a valid graph; collects problems on the way.
private struct Validation {
  let inputs: [ModelInput]
  let definitions: [LayerDefinition]
  let outputs: [String]
  var layers: [Layer] = []
  var problems: [NetconvError] = []

  /// What an axis may count; a few such sizes, or one and any attribute, add and multiply within `Int`.
  private static let sizes = 1...(1 << 40)

  private var shapes: [String: Shape] = [:]
  /// What the flatten that a value comes from saw, as long as the order of its values survives.
  private var flattened: [String: [Int]] = [:]

  init(inputs: [ModelInput], definitions: [LayerDefinition], outputs: [String]) {
    self.inputs = inputs
    self.definitions = definitions
    self.outputs = outputs
    for input in inputs { shapes[input.name] = input.shape }
  }

  func throwProblems() throws(NetconvError) {
    if problems.count == 1 { throw problems[0] }
    if !problems.isEmpty { throw .severalProblems(problems) }
  }

  mutating func checkNames() {
    if inputs.isEmpty { problems.append(.noInputs) }
    if outputs.isEmpty { problems.append(.noOutputs) }
    for input in inputs
    where input.shape.dimensions.contains(where: { $0.map { !Self.sizes.contains($0) } ?? false }) {
      problems.append(.wrongInput(input.name, input.shape, sizes: Self.sizes))
    }
    if (inputs.map(\.name) + definitions.map(\.name)).contains("") { problems.append(.emptyName) }
    var names: Set<String> = []
    for name in inputs.map(\.name) + definitions.map(\.name) where !names.insert(name).inserted {
      problems.append(.duplicateName(name))
    }
    for definition in definitions {
      for input in definition.inputs where !names.contains(input) {
        problems.append(.unknownInput(input).inLayer(definition.name))
      }
    }
    let layerNames = Set(definitions.map(\.name))
    for output in outputs where !layerNames.contains(output) {
      problems.append(.unknownOutput(output))
    }
  }

  mutating func check(_ definition: LayerDefinition) {
    let inputShapes = definition.inputs.compactMap { shapes[$0] }
    // A layer behind one that failed has nothing to be checked against.
    guard inputShapes.count == definition.inputs.count else { return }
    do throws(NetconvError) {
      let operation = definition.operation
      guard operation.inputCount.contains(inputShapes.count) else {
        throw .wrongInputCount(inputShapes.count, expected: operation.inputCount)
      }
      let output = try operation.outputShape(for: inputShapes)
      guard !output.dimensions.contains(where: { $0.map { $0 < 1 } ?? false }) else {
        throw .emptyOutput(output, inputs: inputShapes)
      }
      guard output.dimensions.allSatisfy({ $0 ?? 1 <= Self.sizes.upperBound }) else {
        throw .hugeOutput(output, limit: Self.sizes.upperBound)
      }
      shapes[definition.name] = output
      follow(definition, inputShapes)
      let parameters = try tensors(of: definition, inputShapes)
      layers.append(
        Layer(
          name: definition.name, operation: operation, inputs: definition.inputs,
          inputShapes: inputShapes, outputShape: output, parameters: parameters,
          origin: definition.origin))
    } catch {
      problems.append(error.inLayer(definition.name))
    }
  }

  /// Checks that all parameters together can be counted, in bytes too.
  mutating func checkTotal() {
    var total = 0
    for layer in layers {
      for tensor in layer.parameters {
        let (sum, overflow) = total.addingReportingOverflow(tensor.count)
        guard !overflow, sum <= Int.max >> 4 else {
          problems.append(.tooManyValues.inLayer(layer.name))
          return
        }
        total = sum
      }
    }
  }

  /// Notes which flatten, if any, the values of the layer's output come from.
  private mutating func follow(_ definition: LayerDefinition, _ inputShapes: [Shape]) {
    guard let input = definition.inputs.first, definition.inputs.count == 1 else { return }
    switch definition.operation.axisFlow(from: inputShapes) {
    case .elementwise: flattened[definition.name] = flattened[input]
    case .flatten: flattened[definition.name] = inputShapes[0].known
    case .other: break
    }
  }

  private mutating func tensors(
    of definition: LayerDefinition, _ inputShapes: [Shape]
  ) throws(NetconvError) -> [Tensor] {
    let specs = try definition.operation.parameters(for: inputShapes).map { spec in
      guard let shape = definition.inputs.first.flatMap({ flattened[$0] }) else { return spec }
      return spec.revealing(flattened: shape)
    }
    let known = Set(specs.map(\.role))
    for role in definition.parameters.keys.map(\.rawValue).sorted()
    where !known.contains(ParameterRole(rawValue: role)) {
      throw .unknownRole(role, expected: specs)
    }
    var tensors: [Tensor] = []
    for spec in specs {
      if let stored = definition.parameters[spec.role] {
        let owner = definition.parameterOwner ?? definition.name
        do {
          tensors.append(try Tensor(layer: owner, spec: spec, stored: stored))
        } catch {
          throw error.inTensor(spec.role.rawValue)
        }
      } else if !spec.isOptional {
        throw .missingParameter(spec)
      }
    }
    return tensors
  }
}
