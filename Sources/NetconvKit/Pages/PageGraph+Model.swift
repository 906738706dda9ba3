import ModelIR
import Pages

extension PageGraph {
  /// Creates the graph of a model's inputs and layers.
  init(of model: Model) {
    let model = model.separated
    let nodes = Self.nodes(of: model)
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.name, $0) })
    self.init(nodes: nodes, edges: Self.edges(of: model, between: places))
  }

  /// Returns a node for each input and layer of a model.
  static func nodes(of model: Model) -> [Node] {
    model.inputs.map { Node(name: $0.name, type: "Input", shape: $0.shape.description) }
      + model.layers.map {
        Node(
          name: $0.name, type: type(of: $0.operation).name, shape: $0.outputShape.description)
      }
  }

  /// Returns the edges between a model's layers, given the indices of their nodes.
  static func edges(of model: Model, between places: [String: Int]) -> [Edge] {
    model.layers.flatMap { layer in
      layer.inputs.compactMap { input in
        places[input].flatMap { from in places[layer.name].map { Edge(from: from, to: $0) } }
      }
    }
  }
}
