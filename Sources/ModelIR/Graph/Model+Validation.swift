extension Model {
  /// Creates a model from a source's description: validates it and infers every shape.
  ///
  /// - Parameters:
  ///   - name: the model's name in the source.
  ///   - inputs: at least one input.
  ///   - layers: the layers in any order.
  ///   - outputs: names of outputs of layers, at least one.
  /// - Throws: `badData` with every problem found, each with the layer's name.
  public init(
    name: String, inputs: [ModelInput], layers: [LayerDefinition], outputs: [String]
  ) throws(NetconvError) {
    try self.init(
      name, Validation(inputs: inputs, definitions: layers, outputs: outputs), layers)
  }

  /// Creates a model without its parameters yet: those that the layers lack are filled with zeros.
  ///
  /// - Parameters: as for a model with parameters.
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

/// The valid sizes of an axis.
///
/// Sums and products of a few such sizes, or of one and any attribute, do not overflow `Int`.
private let axisSizes = 1...(1 << 40)

/// The maximum number of values per sample of an input or of a layer's output.
private let valueLimit = 1 << 48

extension Shape {
  /// True if a sample does not exceed the maximum number of values; unknown sizes count as 1.
  fileprivate var isCountable: Bool { countOfKnown.map { $0 <= valueLimit } ?? false }

  /// The product of the known sizes; `nil` if it overflows.
  fileprivate var countOfKnown: Int? { try? product(dimensions.compactMap(\.self)) }
}

extension Operator {
  /// Returns the shape of the first output; see ``checkedOutputShapes(for:)``.
  package func checkedOutputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try checkedOutputShapes(for: inputs)[0]
  }

  /// Returns the shapes of all outputs, after checking that every size is valid.
  ///
  /// - Throws: `badData` if the number of inputs is wrong, if they do not fit the operator, or if an output would be
  ///   empty or too large.
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
  /// Checks that every size is valid and that the total does not exceed the maximum.
  ///
  /// - Throws: `badData`.
  package func checkShape() throws(NetconvError) {
    guard !shape.dimensions.contains(where: { $0.map { !axisSizes.contains($0) } ?? false }) else {
      throw .wrongInput(name, shape, sizes: axisSizes)
    }
    guard shape.isCountable else { throw .uncountableInput(name, shape, limit: valueLimit) }
  }
}

/// Validates layer definitions and connects them to a graph; collects problems on the way.
private struct Validation {
  let inputs: [ModelInput]
  let definitions: [LayerDefinition]
  let outputs: [String]
  /// True if missing parameters are filled with zeros.
  var fillsParameters = false
  var layers: [Layer] = []
  var problems: [NetconvError] = []

  private var shapes: [String: Shape] = [:]
  /// The input shape of the flatten that a value comes from, as long as the order of its values is preserved.
  private var flattened: [String: [Int]] = [:]
  /// The values that were permuted to channels first: a flatten of them has no counterpart among channels-last layouts.
  private var transposed: Set<String> = []
  /// The input shapes of the flattens before the layers that use the parameters of an owner; `nil` stands for no
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

  /// Checks the layers in topological order: first all shapes, then all parameters.
  ///
  /// The axes that a flatten merges in shared parameters are known only once all layers that use them have shapes.
  mutating func check(_ definitions: [LayerDefinition]) {
    var failures: [Int: NetconvError] = [:]
    var shaped: [Int] = []
    for (index, definition) in definitions.enumerated() {
      // A layer whose input failed has no input shape to check against.
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

  /// Checks that the total number of values of all layers does not overflow, with a margin for several copies and for
  /// bytes.
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

  /// Checks that the total size of all parameters in bytes does not overflow.
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

  /// Records the flatten, if any, that the values of the layer's output come from.
  private mutating func follow(_ definition: LayerDefinition, _ inputShapes: [Shape]) {
    switch definition.operation.axisFlow(from: inputShapes) {
    case .elementwise:
      // A single value is broadcast.
      let images = Set(
        zip(definition.inputs, inputShapes).filter { $1.known != [1] }.map { flattened[$0.0] })
      flattened[definition.name] = images.count == 1 ? images.first ?? nil : nil
      if definition.inputs.contains(where: transposed.contains) {
        transposed.insert(definition.name)
      }
    case .flatten:
      guard !transposed.contains(definition.inputs[0]) else { return }
      flattened[definition.name] = inputShapes[0].known
    case .channelsFirst: transposed.insert(definition.name)
    case .flattenOfSteps:
      flattened[definition.name] = Shape(Array(inputShapes[0].dimensions.dropFirst())).known
    case .other: break
    }
  }

  /// Returns the spec of a parameter with the axes that flattens have merged, common to all layers that share it.
  ///
  /// A shared parameter is one tensor with one layout: after flattens of different shapes no axes are named.
  /// - Throws: `badData` if the stored order of these axes means a different order of values for each layer.
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
  /// The layer that owns the parameters.
  fileprivate var owner: String { parameterOwner ?? name }
}

extension NetconvError {
  fileprivate static func wrongInput(
    _ name: String, _ shape: Shape, sizes: ClosedRange<Int>
  ) -> NetconvError {
    NetconvError(
      .badData,
      "input \(quoted(name)) has shape \(shape); each size must be from \(sizes.lowerBound) to "
        + "\(sizes.upperBound)")
  }

  fileprivate static func wrongInputCount(_ count: Int, expected: ClosedRange<Int>) -> NetconvError
  {
    let range =
      switch (expected.lowerBound, expected.upperBound) {
      case (let lower, let upper) where lower == upper: "\(lower)"
      case (let lower, .max): "at least \(lower)"
      case (let lower, let upper): "\(lower) to \(upper)"
      }
    return NetconvError(.badData, "has \(count) inputs, expected \(range)")
  }

  fileprivate static func wrongOutputCount(_ count: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "names \(count) outputs, expected \(expected)")
  }

  fileprivate static func hugeOutput(_ shape: Shape, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the output would have shape \(shape); no size can be over \(limit), so the file is damaged "
        + "or invalid")
  }

  fileprivate static func uncountableOutput(_ shape: Shape, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the output would have shape \(shape); no sample can have over \(limit) values, so the file is "
        + "damaged or invalid")
  }

  fileprivate static func uncountableInput(_ name: String, _ shape: Shape, limit: Int)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "input \(quoted(name)) has shape \(shape); no sample can have over \(limit) values")
  }

  fileprivate static var tooManyValuesOfLayers: NetconvError {
    NetconvError(
      .badData,
      "with this layer, a sample has more values in the model than this machine can count; the file is "
        + "damaged or invalid")
  }

  fileprivate static func unknownRole(_ role: String, expected specs: [ParameterSpec])
    -> NetconvError
  {
    let roles = specs.map(\.role.rawValue).joined(separator: ", ")
    return NetconvError(
      .badData,
      "has a parameter \(quoted(role)) that it does not use; expected "
        + (roles.isEmpty ? "none" : roles))
  }

  fileprivate static func conflictingFlattens(
    _ layout: Layout, _ plain: Layout, owner: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "is shared with layers that are not after a flatten of the same shape, for which layout "
        + "\(layout) means different values; store it as \(plain), or give each layer its own")
  }
}
