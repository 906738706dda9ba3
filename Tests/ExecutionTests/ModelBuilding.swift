import ModelIR

/// Builds models with random parameters, layer by layer.
struct ModelBuilder {
  private(set) var inputs: [ModelInput] = []
  private(set) var layers: [LayerDefinition] = []
  /// Of every input and layer so far.
  private(set) var shapes: [String: Shape] = [:]
  /// The shape before the flatten that a value passed; later parameters name its axes.
  private var flattened: [String: [Int]] = [:]
  /// Values whose channels were moved to the front.
  private var transposed: Set<String> = []
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func input(_ shape: Shape) -> String {
    let name = "x\(inputs.count)"
    inputs.append(ModelInput(name: name, shape: shape))
    shapes[name] = shape
    return name
  }

  /// Adds a layer after `inputs`; it is called `y` and its index, and outputs after the first are `y0/1`, `y0/2`, ….
  mutating func add(_ operation: any Operator, _ inputs: [String]) throws -> String {
    let name = "y\(layers.count)"
    let inputShapes = inputs.compactMap { shapes[$0] }
    for (index, shape) in try operation.outputShapes(for: inputShapes).enumerated() {
      shapes[index == 0 ? name : "\(name)/\(index)"] = shape
    }
    switch operation.axisFlow(from: inputShapes) {
    case .elementwise:
      let images = Set(
        zip(inputs, inputShapes).filter { $1.known != [1] }.map { flattened[$0.0] })
      flattened[name] = images.count == 1 ? images.first ?? nil : nil
      if inputs.contains(where: transposed.contains) { transposed.insert(name) }
    case .flatten:
      if !transposed.contains(inputs[0]) { flattened[name] = inputShapes[0].known }
    case .channelsFirst: transposed.insert(name)
    case .flattenOfSteps:
      flattened[name] = Shape(Array(inputShapes[0].dimensions.dropFirst())).known
    case .other: break
    }
    var parameters: [ParameterRole: StoredTensor] = [:]
    for spec in try operation.parameters(for: inputShapes) {
      parameters[spec.role] = try stored(
        inputs.first.flatMap { flattened[$0] }.map { spec.revealing(flattened: $0) } ?? spec,
        of: name)
    }
    layers.append(
      LayerDefinition(name: name, operation: operation, inputs: inputs, parameters: parameters))
    return name
  }

  private mutating func stored(_ spec: ParameterSpec, of layer: String) throws -> StoredTensor {
    var values = random.array(try spec.layout.shape(spec.sizes)).values
    if spec.role == .variance { values = values.map { abs($0) + 0.1 } }
    let outputs =
      spec.sizes[.outputChannels] ?? spec.sizes[.units].map { $0 * (spec.sizes[.gates] ?? 1) }
    if spec.role == .kernel || spec.role == .recurrent, let outputs {
      // Activations keep their magnitude, or a function behind would make much of small differences.
      let scale = Float(outputs * 3) / Float(values.count)
      values = values.map { $0 * scale.squareRoot() }
    }
    return StoredTensor(
      source: ArraySource(values), layout: spec.layout, shape: nil, path: layer)
  }

  func model(outputs: [String]) throws -> Model {
    try Model(name: "built", inputs: inputs, layers: layers, outputs: outputs)
  }
}

/// A model of one layer, `y0`, with the inputs `x0`, `x1`, ….
func model(_ operation: any Operator, _ shapes: [Int]..., seed: UInt64 = 1) throws -> Model {
  var builder = ModelBuilder(seed: seed)
  let inputs = shapes.map { builder.input(Shape($0)) }
  let output = try builder.add(operation, inputs)
  return try builder.model(outputs: [output])
}

/// A model of a chain of layers, `y0`, `y1`, …, with the input `x0`.
func chain(
  _ operations: [any Operator], input: Shape, outputs: [String]? = nil, seed: UInt64 = 1
) throws -> Model {
  var builder = ModelBuilder(seed: seed)
  var last = builder.input(input)
  for operation in operations { last = try builder.add(operation, [last]) }
  return try builder.model(outputs: outputs ?? [last])
}

/// Random values for the inputs of a model whose sizes are all known.
func randomInputs(
  of model: Model, batch: Int, seed: UInt64 = 2
) -> [String: NDArray<Float>] {
  var random = SplitMix64(seed: seed)
  var inputs: [String: NDArray<Float>] = [:]
  for input in model.inputs {
    inputs[input.name] = random.array([batch] + (input.shape.known ?? []))
  }
  return inputs
}
