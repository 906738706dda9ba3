import ModelIR
import Operators

/// A builder that converts nodes to a model; collects problems on the way.
struct ModelBuilder {
  private let entrances: [Vertex]
  private let outputs: [Vertex]
  /// The vertices that the outputs depend on, in topological order.
  private let order: [Vertex]

  private var problems: [NetconvError] = []
  private var names: [ObjectIdentifier: String] = [:]
  private var shapes: [ObjectIdentifier: Shape] = [:]
  private var generated = NodeNames(taken: [])
  /// The first use of each given name.
  private var owners: [String: Use] = [:]
  private var inputs: [ModelInput] = []
  private var definitions: [LayerDefinition] = []
  /// The specs of each layer's parameters, by the layer's name.
  private var specs: [String: [ParameterSpec]] = [:]

  /// A layer for comparison with others of the same name.
  private struct Use {
    let operation: any Operator
    let omitted: Set<ParameterRole>
    var specs: [ParameterSpec]?
  }

  /// Collects the nodes between `inputs` and `outputs`.
  init(_ inputs: [Input], _ outputs: [any NodeSource]) {
    entrances = inputs.map(\.vertex)
    self.outputs = outputs.map(\.node.vertex)
    order = Vertex.order(upTo: self.outputs)
  }

  /// Returns the model.
  ///
  /// - Throws: `badData` with every problem.
  func model(
    _ name: String, _ load: (String, ParameterSpec) throws(NetconvError) -> StoredTensor?
  ) throws(NetconvError) -> Model {
    var builder = self
    builder.nameEntrances()
    builder.nameLayers()
    builder.pinChannels()
    builder.checkEntrances()
    for vertex in order { builder.add(vertex) }
    builder.checkOutputs()
    builder.findUnreachedNodes()
    try builder.throwProblems()
    let outputs = outputs.compactMap { builder.names[ObjectIdentifier($0)] }
    let planned = try Model(
      name: name, inputs: builder.inputs, layers: builder.withPlaceholders(), outputs: outputs)
    let parameters = try builder.load(planned, load)
    let layers = builder.definitions.map { definition in
      var definition = definition
      definition.parameters = parameters[definition.parameterOwner ?? definition.name] ?? [:]
      return definition
    }
    let model = try Model(
      name: name, inputs: builder.inputs, layers: layers, outputs: outputs)
    for vertex in order {
      if let name = builder.names[ObjectIdentifier(vertex)] { vertex.name = name }
    }
    return model
  }

  private func throwProblems() throws(NetconvError) {
    if problems.count == 1 { throw problems[0] }
    if !problems.isEmpty { throw .severalProblems(problems) }
  }

  // MARK: - Names

  /// Names inputs without a name: `input` if there is one, `input_1`, `input_2`, … if there are several.
  private mutating func nameEntrances() {
    let reached = order.filter { vertex in
      vertex.entrance != nil && !entrances.contains { $0 === vertex }
    }
    let all = entrances + reached
    let unnamed = all.count { $0.entrance?.name == nil }
    generated = NodeNames(
      taken: Set((all.compactMap { $0.entrance?.name }) + order.compactMap(\.givenName)))
    for vertex in all where names[ObjectIdentifier(vertex)] == nil {
      names[ObjectIdentifier(vertex)] =
        vertex.entrance?.name
        ?? (unnamed == 1 && generated.take("input") ? "input" : generated.next("input"))
      shapes[ObjectIdentifier(vertex)] = vertex.entrance?.shape
    }
  }

  /// Names the layers; a second layer with a given name gets a number as a suffix.
  private mutating func nameLayers() {
    var used: Set<String> = []
    for vertex in order {
      guard let layer = vertex.layer else { continue }
      if let given = vertex.givenName, used.insert(given).inserted {
        names[ObjectIdentifier(vertex)] = given
      } else if let given = vertex.givenName {
        names[ObjectIdentifier(vertex)] = generated.next(given, from: 2)
      } else {
        names[ObjectIdentifier(vertex)] = generated.next(layer.kind)
      }
    }
  }

  private func name(of vertex: Vertex) -> String { names[ObjectIdentifier(vertex)] ?? vertex.name }

  // MARK: - Inputs

  /// Sets the unknown depth of an image that is resized to the number of channels that the resizing assumes.
  private mutating func pinChannels() {
    for vertex in order {
      guard let channels = vertex.layer?.assumedChannels else { continue }
      for input in vertex.inputs where input.entrance != nil {
        guard let shape = shapes[ObjectIdentifier(input)], shape.rank == 3,
          shape.dimensions[2] == nil
        else { continue }
        shapes[ObjectIdentifier(input)] = Shape(shape.dimensions.dropLast() + [channels])
      }
    }
  }

  private mutating func checkEntrances() {
    if entrances.isEmpty { problems.append(.noInputs) }
    var listed: Set<ObjectIdentifier> = []
    var taken: Set<String> = []
    let layerNames = Set(order.filter { $0.layer != nil }.compactMap(\.givenName))
    for vertex in entrances {
      let shape = shapes[ObjectIdentifier(vertex)] ?? Shape([Int]())
      guard let entrance = vertex.entrance else { continue }
      let input = ModelInput(
        name: name(of: vertex), shape: shape, preprocessing: entrance.preprocessing)
      guard listed.insert(ObjectIdentifier(vertex)).inserted else {
        problems.append(.repeatedInput(input.name))
        continue
      }
      inputs.append(input)
      do {
        try input.checkShape()
      } catch {
        problems.append(error)
      }
      if input.name.isEmpty { problems.append(.emptyName) }
      if !taken.insert(input.name).inserted || layerNames.contains(input.name) {
        problems.append(.duplicateName(input.name))
      }
      if !order.contains(where: { $0 === vertex }) {
        problems.append(.unusedInput(input.name, shape))
      }
    }
    for vertex in order where vertex.entrance != nil {
      if !listed.contains(ObjectIdentifier(vertex)) {
        problems.append(
          .unlistedInput(
            name(of: vertex), shapes[ObjectIdentifier(vertex)] ?? Shape([Int]())))
      }
    }
  }

  // MARK: - Layers

  private mutating func add(_ vertex: Vertex) {
    guard let layer = vertex.layer else { return }
    let name = name(of: vertex)
    let inputShapes = vertex.inputs.compactMap { shapes[ObjectIdentifier($0)] }
    var isComparable = true
    do throws(NetconvError) {
      if name.isEmpty { throw .emptyName }
      try checkUse(of: layer)
    } catch {
      problems.append(error.inLayer(vertex.givenName ?? name).reading(inputShapes))
      isComparable = false
    }
    // A layer whose input failed has no input shape to check against.
    guard inputShapes.count == vertex.inputs.count else { return }
    do throws(NetconvError) {
      try add(layer, name, vertex, inputShapes, sharing: isComparable)
    } catch {
      problems.append(error.inLayer(name).reading(inputShapes))
    }
  }

  /// Records the first use of a name, and compares later ones with it.
  private mutating func checkUse(of layer: any NetworkLayer) throws(NetconvError) {
    guard let name = layer.name else { return }
    guard let owner = owners[name] else {
      owners[name] = Use(operation: layer.operation, omitted: layer.omittedParameters)
      return
    }
    guard owner.operation.asOwner.isEqual(to: layer.operation.asOwner),
      owner.omitted == layer.omittedParameters
    else { throw .differentAttributes }
  }

  private mutating func add(
    _ layer: any NetworkLayer, _ name: String, _ vertex: Vertex, _ inputShapes: [Shape],
    sharing isComparable: Bool
  ) throws(NetconvError) {
    let operation = layer.operation
    var reads = vertex.inputs.map { self.name(of: $0) }
    var operands = inputShapes
    try layer.check(inputShapes)
    if layer.flattensInput, inputShapes.count == 1, inputShapes[0].rank > 1 {
      let flatten = Operators.Flatten()
      operands = [try flatten.checkedOutputShape(for: inputShapes)]
      let flattenName = generated.next("flatten")
      definitions.append(LayerDefinition(name: flattenName, operation: flatten, inputs: reads))
      reads = [flattenName]
    }
    let output = try operation.checkedOutputShape(for: operands)
    shapes[ObjectIdentifier(vertex)] = output
    let specs = try operation.parameters(for: operands)
      .filter { !layer.omittedParameters.contains($0.role) }
    if layer.name == nil, !specs.isEmpty { throw .needsName(layer.kind, specs.map(\.role)) }
    if isComparable { try checkSharing(layer, specs) }
    self.specs[name] = specs
    definitions.append(
      LayerDefinition(
        name: name, operation: operation, inputs: reads,
        parameterOwner: layer.name.flatMap { $0 == name || specs.isEmpty ? nil : $0 }))
  }

  /// Checks that a layer that shares parameters requires the same parameter shapes.
  private mutating func checkSharing(
    _ layer: any NetworkLayer, _ specs: [ParameterSpec]
  ) throws(NetconvError) {
    guard let name = layer.name, let owner = owners[name] else { return }
    guard let expected = owner.specs else {
      owners[name]?.specs = specs
      return
    }
    for (spec, other) in zip(specs, expected) where spec != other {
      throw .differentParameters(
        spec.role, try spec.layout.shape(spec.sizes), owner: try other.layout.shape(other.sizes))
    }
  }

  // MARK: - Outputs

  private mutating func checkOutputs() {
    if outputs.isEmpty { problems.append(.noOutputs) }
    var listed: Set<ObjectIdentifier> = []
    for output in outputs {
      if output.entrance != nil {
        problems.append(
          .inputAsOutput(
            name(of: output), shapes[ObjectIdentifier(output)] ?? Shape([Int]())))
      } else if !listed.insert(ObjectIdentifier(output)).inserted {
        problems.append(.repeatedOutput(name(of: output)))
      }
    }
  }

  /// Finds nodes that are connected to the model's inputs, but that no output depends on.
  private mutating func findUnreachedNodes() {
    var known: [ConnectionPlace: Shape] = [:]
    var reached: Set<ConnectionPlace> = []
    for vertex in order + entrances {
      reached.formUnion(vertex.places.map(\.place))
      if let place = vertex.place { known[place] = shapes[ObjectIdentifier(vertex)] }
    }
    let inputs = Set(entrances.map { $0.place?.input })
    for vertex in entrances {
      guard let entrance = vertex.entrance, let own = vertex.place?.input else { continue }
      for (index, connection) in entrance.connections.enumerated() {
        let place = ConnectionPlace(input: own, index: index)
        // A node that depends on several inputs is recorded by each; it is reported for the model's first one.
        let first = connection.reads.compactMap { $0?.input }.first { inputs.contains($0) }
        guard !reached.contains(place), first == own else { continue }
        let shape = shape(of: connection, &known)
        known[place] = shape
        let texts = connection.reads.map { place in
          place.flatMap { known[$0] }?.description ?? "a node of unknown shape"
        }
        problems.append(
          NetconvError.unreachedNode(reading: texts)
            .inLayer(connection.name ?? generated.next(connection.kind)))
      }
    }
  }

  /// Returns the shape of a node that is not part of the model, as far as it can be inferred.
  private func shape(of connection: Connection, _ known: inout [ConnectionPlace: Shape]) -> Shape? {
    let reads = connection.reads.compactMap { $0.flatMap { known[$0] } }
    guard reads.count == connection.reads.count else { return nil }
    let flattened =
      connection.flattensInput && reads.count == 1
      ? [try? Operators.Flatten().outputShape(for: reads)].compactMap(\.self) : reads
    return try? connection.operation.checkedOutputShape(for: flattened)
  }

  // MARK: - Parameters

  /// Returns the layers with placeholder parameters, which have sizes but no values.
  private func withPlaceholders() throws(NetconvError) -> [LayerDefinition] {
    var layers = definitions
    for index in layers.indices {
      for spec in specs[layers[index].name] ?? [] {
        layers[index].parameters[spec.role] = StoredTensor(
          source: PlannedValues(count: try spec.count()), layout: nil, shape: nil, path: "")
      }
    }
    return layers
  }

  /// Loads each parameter of a model, by the name of its owner.
  ///
  /// - Throws: every problem, each with layer and role.
  private func load(
    _ planned: Model, _ load: (String, ParameterSpec) throws(NetconvError) -> StoredTensor?
  ) throws(NetconvError) -> [String: [ParameterRole: StoredTensor]] {
    var loaded: [String: [ParameterRole: StoredTensor]] = [:]
    var builder = self
    for tensor in planned.tensors {
      do throws(NetconvError) {
        guard let stored = try load(tensor.layer, tensor.spec) else {
          throw .missingParameter(tensor.spec)
        }
        let isArray = stored.source is ArraySource
        guard stored.source.count == tensor.count || !isArray && stored.source.count > tensor.count
        else { throw .wrongCount(stored.source.count, expected: tensor.spec) }
        _ = try Tensor(layer: tensor.layer, spec: tensor.spec, stored: stored)
        loaded[tensor.layer, default: [:]][tensor.spec.role] = stored
      } catch {
        builder.problems.append(
          error.inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer))
      }
    }
    try builder.throwProblems()
    return loaded
  }
}

extension Operator {
  /// The operator without settings that may differ between uses: the outputs and inputs of a recurrent layer.
  fileprivate var asOwner: any Operator {
    guard var recurrent = self as? any SteppingOperator else { return self }
    recurrent.recurrence = Recurrence(goesBackwards: recurrent.recurrence.goesBackwards)
    return recurrent
  }
}

extension Vertex {
  fileprivate var entrance: Entrance? {
    if case .input(let entrance) = content { entrance } else { nil }
  }

  fileprivate var layer: (any NetworkLayer)? {
    if case .layer(let layer, _) = content { layer } else { nil }
  }
}
