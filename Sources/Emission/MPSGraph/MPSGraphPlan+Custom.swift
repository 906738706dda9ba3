import ModelIR

// Custom layers.
extension MPSGraphPlan {
  /// Adds a call of a custom layer.
  mutating func custom(
    _ inputs: [Value], _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    guard let requirement = customLayers.function(of: layer.name) else {
      throw .noOperation(layer)
    }
    let names = inputs.map(\.name)
    let source =
      requirement.takesSeveral
      ? "sourceTensors: [\(names.joined(separator: ", "))]" : "sourceTensor: \(names[0])"
    return add(
      .layer(.checked, layer.name, ["shape: \(shape)"]),
      Value(
        name: "customLayers.\(requirement.name)(graph: graph, \(source))", shape: shape,
        elements: names), of: layer, shape: shape)
  }
}
