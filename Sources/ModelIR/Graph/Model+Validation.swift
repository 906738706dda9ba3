extension Model {
  /// Checks a model as a source describes it, and infers every shape.
  ///
  /// - Parameters:
  ///   - name: what the source calls the model.
  ///   - inputs: at least one.
  ///   - layers: in any order.
  ///   - outputs: names of outputs of layers, at least one.
  /// - Throws: `badData` with every problem found, each with the layer's name.
  public init(
    name: String, inputs: [ModelInput], layers: [LayerDefinition], outputs: [String]
  ) throws(NetconvError) {
    try self.init(
      name, Validation(inputs: inputs, definitions: layers, outputs: outputs), layers)
  }

  /// A model whose parameters are not there yet: zeros stand for those that the layers do not have.
  ///
  /// - Parameters: as for a model that has them.
  /// - Throws: `badData` with every problem found, each with the layer's name.
  package init(
    planning name: String, inputs: [ModelInput], layers: [LayerDefinition], outputs: [String]
  ) throws(NetconvError) {
    var validation = Validation(inputs: inputs, definitions: layers, outputs: outputs)
    validation.fillsParameters = true
    try self.init(name, validation, layers)
  }

  private init(
    _ name: String, _ checking: Validation, _ layers: [LayerDefinition]
  ) throws(NetconvError) {
    var validation = checking
    validation.checkNames()
    try validation.throwProblems()
    validation.check(try topologicalOrder(of: layers))
    validation.checkTotal()
    validation.checkValueTotal()
    try validation.throwProblems()
    self.init(
      name: name, inputs: validation.inputs, checked: validation.layers,
      outputs: validation.outputs)
  }
}

/// What an axis may count; a few such sizes, or one and any attribute, add and multiply within `Int`.
private let axisSizes = 1...(1 << 40)

/// The most values of an input or of a layer's output, in one sample.
private let valueLimit = 1 << 48

extension Shape {
  /// Whether a sample has no more values than a model can have; sizes that are not known count as 1.
  fileprivate var isCountable: Bool { countOfKnown.map { $0 <= valueLimit } ?? false }

  /// The product of the sizes that are known; `nil` if it overflows.
  fileprivate var countOfKnown: Int? { try? product(dimensions.compactMap(\.self)) }
}

extension Operator {
  /// The shape of the first output; see ``checkedOutputShapes(for:)``.
  package func checkedOutputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try checkedOutputShapes(for: inputs)[0]
  }

  /// The shapes of all outputs, of which every size is one that a model can have.
  ///
  /// - Throws: `badData` if the inputs are too many, too few, or do not fit the operator, or if an output
  ///   would be empty, absurdly large, or of more values than can be counted.
  package func checkedOutputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    guard inputCount.contains(inputs.count) else {
      throw .wrongInputCount(inputs.count, expected: inputCount)
    }
    let outputs = try outputShapes(for: inputs)
    for output in outputs {
      guard !output.dimensions.contains(where: { $0.map { $0 < 1 } ?? false }) else {
        throw .emptyOutput(output, inputs: inputs)
      }
      guard output.dimensions.allSatisfy({ $0 ?? 1 <= axisSizes.upperBound }) else {
        throw .hugeOutput(output, limit: axisSizes.upperBound)
      }
      guard output.isCountable else { throw .uncountableOutput(output, limit: valueLimit) }
    }
    return outputs
  }
}

extension ModelInput {
  /// Checks that every size is one that a model can have, and that the values can be counted.
  ///
  /// - Throws: `badData`.
  package func checkShape() throws(NetconvError) {
    guard !shape.dimensions.contains(where: { $0.map { !axisSizes.contains($0) } ?? false }) else {
      throw .wrongInput(name, shape, sizes: axisSizes)
    }
    guard shape.isCountable else { throw .uncountableInput(name, shape, limit: valueLimit) }
  }
}

/// The work of turning layer definitions into a valid graph; collects problems on the way.
private struct Validation {
  let inputs: [ModelInput]
  let definitions: [LayerDefinition]
  let outputs: [String]
  /// Whether zeros stand for parameters that a layer does not have.
  var fillsParameters = false
  var layers: [Layer] = []
  var problems: [NetconvError] = []

  private var shapes: [String: Shape] = [:]
  /// What the flatten that a value comes from saw, as long as the order of its values survives.
  private var flattened: [String: [Int]] = [:]
  /// The values in which channels were put first: no layout for channels last has what a flatten makes of them.
  private var turned: Set<String> = []
  /// What the flattens saw before each of the layers that use the parameters of an owner; `nil` for no
  /// flatten.
  private var hidden: [String: Set<[Int]?>] = [:]

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
    for input in inputs {
      do {
        try input.checkShape()
      } catch {
        problems.append(error)
      }
    }
    let computed = definitions.flatMap(\.outputs)
    let known = inputs.map(\.name) + computed
    if known.contains("") { problems.append(.emptyName) }
    var names: Set<String> = []
    for name in known where !names.insert(name).inserted { problems.append(.duplicateName(name)) }
    for definition in definitions {
      let count = definition.operation.outputCount
      if definition.outputs.count != count {
        problems.append(
          .wrongOutputCount(definition.outputs.count, expected: count).inLayer(definition.name))
      }
      for input in definition.inputs where !names.contains(input) {
        problems.append(.unknownInput(input, known: known).inLayer(definition.name))
      }
    }
    let computedNames = Set(computed)
    for output in outputs where !computedNames.contains(output) {
      problems.append(.unknownOutput(output, known: computed))
    }
  }

  /// Checks the layers, each after those that it reads: first all shapes, then all parameters.
  ///
  /// What a flatten hides in shared parameters is only known when all layers that use them are.
  mutating func check(_ definitions: [LayerDefinition]) {
    var failures: [Int: NetconvError] = [:]
    var shaped: [Int] = []
    for (index, definition) in definitions.enumerated() {
      // A layer behind one that failed has nothing to be checked against.
      guard definition.inputs.allSatisfy({ shapes[$0] != nil }) else { continue }
      do {
        try inferShape(definition)
        shaped.append(index)
      } catch {
        failures[index] = error
      }
    }
    for index in shaped {
      do {
        layers.append(try layer(definitions[index]))
      } catch {
        failures[index] = error
      }
    }
    for (index, failure) in failures.sorted(by: { $0.key < $1.key }) {
      problems.append(failure.inLayer(definitions[index].name))
    }
  }

  private mutating func inferShape(_ definition: LayerDefinition) throws(NetconvError) {
    let inputShapes = definition.inputs.compactMap { shapes[$0] }
    let outputShapes = try definition.operation.checkedOutputShapes(for: inputShapes)
    for (name, shape) in zip(definition.outputs, outputShapes) { shapes[name] = shape }
    follow(definition, inputShapes)
    hidden[definition.owner, default: []].insert(definition.inputs.first.flatMap { flattened[$0] })
  }

  private func layer(_ definition: LayerDefinition) throws(NetconvError) -> Layer {
    let inputShapes = definition.inputs.compactMap { shapes[$0] }
    return Layer(
      name: definition.name, operation: definition.operation, inputs: definition.inputs,
      inputShapes: inputShapes,
      outputs: definition.outputs.map {
        LayerOutput(name: $0, shape: shapes[$0] ?? Shape([Int]()))
      },
      parameters: try tensors(of: definition, inputShapes), origin: definition.origin)
  }

  /// Checks that the values of all layers can be counted, several times and in bytes too.
  mutating func checkValueTotal() {
    var total = inputs.reduce(0) { $0 + min(valueLimit, $1.shape.countOfKnown ?? 0) }
    for layer in layers {
      for output in layer.outputs {
        let (sum, overflow) = total.addingReportingOverflow(output.shape.countOfKnown ?? 0)
        guard !overflow, sum <= Int.max >> 8 else {
          problems.append(.tooManyValuesOfLayers.inLayer(layer.name))
          return
        }
        total = sum
      }
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
    switch definition.operation.axisFlow(from: inputShapes) {
    case .elementwise:
      // A single value stands everywhere.
      let images = Set(
        zip(definition.inputs, inputShapes).filter { $1.known != [1] }.map { flattened[$0.0] })
      flattened[definition.name] = images.count == 1 ? images.first ?? nil : nil
      if definition.inputs.contains(where: turned.contains) { turned.insert(definition.name) }
    case .flatten:
      guard !turned.contains(definition.inputs[0]) else { return }
      flattened[definition.name] = inputShapes[0].known
    case .channelsFirst: turned.insert(definition.name)
    case .flattenOfSteps:
      flattened[definition.name] = Shape(Array(inputShapes[0].dimensions.dropFirst())).known
    case .other: break
    }
  }

  /// The parameter with the axes named that flattens hide, alike for all layers that share it.
  ///
  /// It is one tensor with one layout: behind flattens of unlike shapes it hides none.
  /// - Throws: `badData` if the stored order of these axes means another order of values for each layer.
  private func revealing(
    _ spec: ParameterSpec, of owner: String, stored: Layout?
  ) throws(NetconvError) -> ParameterSpec {
    let views = Set(
      (hidden[owner] ?? []).map { shape in
        shape.map { spec.revealing(flattened: $0) } ?? spec
      })
    guard views.count > 1 else { return views.first ?? spec }
    let revealed = views.subtracting([spec])
    for view in revealed {
      let axes = Set(view.layout.axes).subtracting(spec.layout.axes).union([
        view.featureAxis ?? .inputChannels
      ])
      let order = stored?.axes.filter(axes.contains) ?? []
      guard order == view.layout.axes.filter(order.contains) else {
        throw .conflictingFlattens(stored ?? spec.layout, view.layout, owner: owner)
      }
    }
    return (revealed.count == 1 ? revealed.first ?? spec : spec).sharedAcrossFlattens()
  }

  private func tensors(
    of definition: LayerDefinition, _ inputShapes: [Shape]
  ) throws(NetconvError) -> [Tensor] {
    var specs: [ParameterSpec] = []
    for spec in try definition.operation.parameters(for: inputShapes) {
      do {
        specs.append(
          try revealing(
            spec, of: definition.owner, stored: definition.parameters[spec.role]?.layout))
      } catch {
        throw error.inTensor(spec.role.rawValue)
      }
    }
    let known = Set(specs.map(\.role))
    for role in definition.parameters.keys.map(\.rawValue).sorted()
    where !known.contains(ParameterRole(rawValue: role)) {
      throw .unknownRole(role, expected: specs)
    }
    var tensors: [Tensor] = []
    for spec in specs {
      if let stored = definition.parameters[spec.role] {
        do {
          tensors.append(try Tensor(layer: definition.owner, spec: spec, stored: stored))
        } catch {
          throw error.inTensor(spec.role.rawValue)
        }
      } else if fillsParameters {
        tensors.append(
          try Tensor(
            layer: definition.owner, spec: spec,
            stored: StoredTensor(
              source: PlannedValues(count: try spec.count()), layout: nil, shape: nil, path: "")))
      } else if !spec.isOptional {
        throw .missingParameter(spec)
      }
    }
    return tensors
  }
}

extension LayerDefinition {
  /// The layer that the parameters belong to.
  fileprivate var owner: String { parameterOwner ?? name }
}
