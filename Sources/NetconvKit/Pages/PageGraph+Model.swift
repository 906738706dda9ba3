import ModelIR
import Pages

extension PageGraph {
  /// The inputs and layers of a model.
  init(of model: Model) {
    let names = model.inputs.map(\.name) + model.layers.map(\.name)
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let inputs = model.inputs.map { input in
      Node(name: input.name, type: "Input", shape: input.shape.description)
    }
    let layers = model.layers.map { layer in
      Node(
        name: layer.name, type: type(of: layer.operation).name,
        shape: layer.outputShape.description)
    }
    let edges = model.layers.flatMap { layer in
      layer.inputs.compactMap { input in
        places[input].flatMap { from in places[layer.name].map { Edge(from: from, to: $0) } }
      }
    }
    self.init(nodes: inputs + layers, edges: edges)
  }
}
