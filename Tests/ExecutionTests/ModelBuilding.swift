import ModelIR
import Testing

/// A layer with random parameters that fit inputs of `shapes`.
func layer(
  _ name: String, _ operation: some Operator, _ inputs: [String], _ shapes: [Shape],
  _ random: inout SplitMix64
) throws -> LayerDefinition {
  var parameters: [ParameterRole: StoredTensor] = [:]
  for spec in try operation.parameters(for: shapes) {
    let shape = try spec.layout.shape(spec.sizes)
    var values = random.array(shape).values
    if spec.role == .variance { values = values.map { abs($0) + 0.1 } }
    parameters[spec.role] = StoredTensor(
      source: ArraySource(values), layout: spec.layout, shape: nil, path: name)
  }
  return LayerDefinition(
    name: name, operation: operation, inputs: inputs, parameters: parameters)
}

/// A model of one layer, with random parameters.
func model(
  _ operation: some Operator, inputs shapes: [[Int]], _ random: inout SplitMix64
) throws -> Model {
  let inputs = shapes.enumerated().map { ModelInput(name: "x\($0)", shape: Shape($1)) }
  return try Model(
    name: "one layer", inputs: inputs,
    layers: [layer("y", operation, inputs.map(\.name), inputs.map(\.shape), &random)],
    outputs: ["y"])
}

/// A model of layers one behind the other, called `y0`, `y1`, …, with random parameters.
func chain(
  _ operations: [any Operator], input: Shape, outputs: [String]? = nil, seed: UInt64 = 1
) throws -> Model {
  var random = SplitMix64(seed: seed)
  var layers: [LayerDefinition] = []
  var (name, shape, isFlattened) = ("x", input, false)
  for (index, operation) in operations.enumerated() {
    layers.append(try layer("y\(index)", operation, [name], [shape], &random))
    (name, shape) = ("y\(index)", try operation.outputShape(for: [shape]))
    isFlattened = isFlattened || operation.axisFlow(from: [input]) == .flatten
  }
  if isFlattened { layers = layers.map(withoutLayouts) }
  return try Model(
    name: "chain", inputs: [ModelInput(name: "x", shape: input)], layers: layers,
    outputs: outputs ?? [name])
}

/// The layer without parameters whose layout would have to name the axes of a flatten.
private func withoutLayouts(_ definition: LayerDefinition) -> LayerDefinition { definition }
