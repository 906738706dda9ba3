import ModelIR

// What the app computes.
extension MPSGraphPlan {
  /// Adds what a function of the app gives.
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
